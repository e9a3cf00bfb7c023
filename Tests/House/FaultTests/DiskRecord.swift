import ConformanceSupport
import Foundation
import Testing
import WidgetTestSupport

/// The changes of a program's files in their order, as Tests/Faults/recorder.c writes them down.
struct DiskRecord {
    /// Built once with the system's compiler, and removed at the end; `nil` without a compiler.
    static let library: String? = {
        atexit { if let library = DiskRecord.library { unsafe unlink(library) } }
        let source = "\(Corpus.repositoryRoot)/Tests/Faults/recorder.c"
        let target = FileManager.default.temporaryDirectory.appending(path: "widgetd-recorder-\(getpid()).so").path
        for compiler in ["cc", "clang"] where Shell.has(compiler) {
            let arguments = ["-shared", "-fPIC", "-O2", "-o", target, source, "-ldl"]
            if (try? Tool.run(compiler, arguments))?.status == 0 { return target }
        }
        return nil
    }()

    private let file: URL
    private let root: URL

    /// - Parameter root: the folder below which changes are recorded, which is there.
    init(in home: Home, below root: URL? = nil) throws {
        self.root = root ?? home.folder
        file = home.folder.appending(path: "record")
        try Data().write(to: file)
    }

    /// The environment of a program that writes it.
    var environment: [String: String] {
        ["LD_PRELOAD": Self.library ?? "", "FAULT_RECORD": file.path, "FAULT_RECORD_ROOT": root.path]
    }

    /// - Parameter end: a name whose removal ends the record; `nil` for all of it.
    func names(untilRemovalOf end: String? = nil) throws -> FolderNames {
        FolderNames(try Data(contentsOf: file), untilRemovalOf: end)
    }
}

/// The names that were given and taken in folders, by the folders' inodes, and which of them the disk may not have.
struct FolderNames {
    private enum Kind: Int64 {
        case create = 1
        case write, truncate, synchronize, rename, remove, folder, exchange
    }

    private var given: [Int64: Set<String>] = [:]
    private var pending: [Int64: Set<String>] = [:]
    /// Files that were written and not synchronized since.
    private var unwritten: Set<Int64> = []

    /// True once the record has come to the removal that was to end it.
    private(set) var isEnded = false

    init(_ record: Data, untilRemovalOf last: String? = nil) {
        let bytes = [UInt8](record)
        let headCount = 7 * 8
        var position = 0
        while position + headCount <= bytes.count {
            let numbers = (0..<7).map { Self.number(bytes, position + $0 * 8) }
            let middle = position + headCount + Int(numbers[5])
            let end = middle + Int(numbers[6])
            guard end <= bytes.count else { return }
            let first = String(decoding: bytes[(position + headCount)..<middle], as: UTF8.self)
            let second = String(decoding: bytes[middle..<end], as: UTF8.self)
            isEnded = Kind(rawValue: numbers[0]) == .remove && first == last
            if isEnded { return }
            note(Kind(rawValue: numbers[0]), inode: numbers[1], other: numbers[2], first, second)
            position = end
        }
    }

    private mutating func note(_ kind: Kind?, inode: Int64, other: Int64, _ first: String, _ second: String) {
        switch kind {
        case .create, .folder: give(first, in: other)
        case .remove: pending[other, default: []].insert(first)
        case .rename, .exchange:
            give(second, in: other)
            pending[inode, default: []].insert(first)
        case .synchronize:
            pending[inode] = nil
            unwritten.remove(inode)
        case .write, .truncate: unwritten.insert(inode)
        case nil: Issue.record("the recorder wrote a kind that is not known here")
        }
    }

    private mutating func give(_ name: String, in folder: Int64) {
        given[folder, default: []].insert(name)
        pending[folder, default: []].insert(name)
    }

    private static func number(_ bytes: [UInt8], _ position: Int) -> Int64 {
        bytes[position..<(position + 8)].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    func given(in folder: URL) -> Set<String> { given[Self.inode(folder), default: []] }

    func unsynchronized(in folder: URL) -> Set<String> { pending[Self.inode(folder), default: []] }

    /// Sentences of the names and contents below a folder, as it is now, that a power cut may take.
    ///
    /// - Parameter andReturns: true if names that were removed may not come back either. Temporary ones may, and are swept.
    func losses(below folder: URL, andReturns: Bool = false) throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(!all.isEmpty)
        let folders =
            [""] + all.filter { (try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\($0)")) != nil }
        let names = try folders.flatMap { name in
            let place = folder.appending(path: name)
            let present = try FileManager.default.contentsOfDirectory(atPath: place.path)
            return unsynchronized(in: place).filter {
                present.contains($0) || andReturns && !$0.hasPrefix(".staged-")
            }.map { "the name \($0) in \(name.isEmpty ? "the folder" : name)" }
        }
        let contents = all.filter { unwritten.contains(Self.inode(folder.appending(path: $0))) }
        return (names + contents.map { "the contents of \($0)" }).sorted()
    }

    private static func inode(_ folder: URL) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
        return (attributes?[.systemFileNumber] as? NSNumber)?.int64Value ?? -1
    }
}
