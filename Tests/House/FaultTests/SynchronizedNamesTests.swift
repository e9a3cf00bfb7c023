import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// Goal: an acknowledged archive has its name on the disk, and so has every folder on the way to it (D12, I1). Method: a
/// server writes down each change of its folders and each synchronization, as for a power cut, and every name that was
/// given in a folder has to be synchronized with that folder by the time of the answer.
@Suite(.also(.faults), .enabled(if: DiskRecord.library != nil, "needs a C compiler")) struct `Names in the store` {
    @Test func `A folder is synchronized after a name in it, before the store is ready or an upload is acknowledged`()
        throws
    {
        let home = try Home()
        let record = try DiskRecord(in: home)
        let registry = try Registry(home: home, record.environment)
        var names = try record.names()
        let blobs = home.data.appending(path: "blobs")
        let shards = try FileManager.default.contentsOfDirectory(atPath: blobs.path)
        #expect(shards.count == 256)
        #expect(names.given(in: blobs).isSuperset(of: shards))
        #expect(names.unsynchronized(in: blobs).isEmpty, "the folders for archives")
        #expect(names.unsynchronized(in: home.data).isDisjoint(with: ["blobs", "staging"]))
        #expect(names.unsynchronized(in: home.folder).isDisjoint(with: ["data"]))

        for number in 0..<4 {
            let answer = try registry.publish(BundleForge("names.example.Widget", "1.\(number)", text: "\(number)"))
            #expect(answer.status == 201)
            // The record is complete up to the answer.
            names = try record.names()
            let digest = try #require(answer.text("sha256"))
            let shard = blobs.appending(path: String(digest.prefix(2)))
            let stored = try FileManager.default.contentsOfDirectory(atPath: shard.path)
            #expect(!stored.isEmpty && names.given(in: shard).isSuperset(of: stored))
            #expect(names.unsynchronized(in: shard).isEmpty, "the folder of \(digest)")
        }
        registry.killAtOnce()
    }
}

/// The changes of a server's files in their order, as Tests/Faults/recorder.c writes them down.
private struct DiskRecord {
    /// Built once with the system's compiler, and removed at the end; `nil` without a compiler.
    static let library: String? = {
        atexit { if let library = DiskRecord.library { unsafe unlink(library) } }
        let source = "\(Corpus.repositoryRoot)/Tests/Faults/recorder.c"
        let target = FileManager.default.temporaryDirectory.appending(path: "widgetd-recorder-\(getpid()).so").path
        for compiler in ["cc", "clang"] where Shell.has(compiler) {
            if Shell.run("\(compiler) -shared -fPIC -O2 -o '\(target)' '\(source)' -ldl").status == 0 { return target }
        }
        return nil
    }()

    private let file: URL
    private let root: URL

    init(in home: Home) throws {
        root = home.folder
        file = home.folder.appending(path: "record")
        try Data().write(to: file)
    }

    /// The environment of a server that writes it.
    var environment: [String: String] {
        ["LD_PRELOAD": Self.library ?? "", "FAULT_RECORD": file.path, "FAULT_RECORD_ROOT": root.path]
    }

    func names() throws -> FolderNames { FolderNames(try Data(contentsOf: file)) }
}

/// The names that were given and taken in folders, by the folders' inodes, and which of them the disk may not have.
private struct FolderNames {
    private enum Kind: Int64 {
        case create = 1
        case write, truncate, synchronize, rename, remove, folder, exchange
    }

    private var given: [Int64: Set<String>] = [:]
    private var pending: [Int64: Set<String>] = [:]

    init(_ record: Data) {
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
        case .synchronize: pending[inode] = nil
        case .write, .truncate: break
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

    private static func inode(_ folder: URL) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
        return (attributes?[.systemFileNumber] as? NSNumber)?.int64Value ?? -1
    }
}
