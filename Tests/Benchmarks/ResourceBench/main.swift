import Glibc
import WidgetAssetCatalog
import WidgetFiles
import WidgetNib
import WidgetObjectModel
import WidgetTestSupport
import WidgetZip

/// `ResourceBench demo ZIP`: how long the archive's models and catalogues take, every image made into pixels and PNGs;
/// and all of its compiled files together, interfaces included.
/// `ResourceBench worst FOLDER` writes files that are as costly as the limits allow; `ResourceBench one FILE [ROUNDS]` reads
/// one and prints milliseconds, the most memory it took beyond the empty program's, in KiB, and what came of it.
enum ResourceBench {
    /// Processor time of this program, in seconds.
    static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    static func milliseconds(_ seconds: Double) -> Double { (seconds * 1e5).rounded() / 100 }

    static func demo(_ path: String) throws {
        let archive = try FileDescriptor.reading(path)
        var reader = try ZipEntryReader()
        var complete = 0.0
        var interfaceCount = 0
        for entry in try ZipDirectory(reading: archive).entries {
            let name = entry.name.text
            guard [".nib", ".mom", ".car"].contains(where: { name.hasSuffix($0) }) else { continue }
            var bytes: [UInt8] = []
            _ = try reader.read(entry, from: archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                for index in chunk.indices { bytes.append(chunk[index]) }
            }
            let start = now()
            if name.hasSuffix(".nib") {
                try decode(interface: bytes)
                complete += now() - start
                interfaceCount += 1
                continue
            }
            if name.hasSuffix(".mom") {
                let model = try DataModel(parsing: bytes)
                let seconds = now() - start
                complete += seconds
                print("model: \(bytes.count) bytes, \(model.entities.count) entities, \(milliseconds(seconds)) ms")
                continue
            }
            let catalog = try CompiledCatalog(parsing: bytes)
            let read = now() - start
            complete += read
            print("catalogue: \(bytes.count) bytes, \(catalog.renditions.count) renditions, \(milliseconds(read)) ms")
            let images = catalog.renditions.filter(\.isImage)
            let begin = now()
            let bitmaps = try images.map { try catalog.bitmap(of: $0) }
            let seconds = now() - begin
            complete += seconds
            let byteCount = bitmaps.reduce(0) { $0 + $1.pixels.count }
            let rate = Int(Double(byteCount) / seconds / 1e6)
            print("pixels: \(images.count) images, \(byteCount) bytes, \(milliseconds(seconds)) ms, \(rate) MB/s")
            let written = now()
            let size = try bitmaps.reduce(0) { try $0 + $1.png().count }
            print("PNG: \(size) bytes, \(milliseconds(now() - written)) ms")
        }
        print(
            "complete decode: \(interfaceCount) interfaces with their cells, models, catalogues and the pixels of all images,"
                + " \(milliseconds(complete)) ms")
    }

    /// All views of an interface, and those of the cells in it.
    static func decode(interface bytes: [UInt8]) throws {
        let interface = NibInterface(try NibDocument(parsing: bytes).graph)
        for object in interface.objects { _ = try NibPrototype.prototypes(of: object) }
        if let root = interface.owned("view") { _ = NibViewTree(root) }
    }

    static func one(_ path: String, rounds: Int) throws {
        let empty = peak()
        let file = try FileDescriptor.reading(path)
        let bytes = try file.read(at: 0, count: file.status().byteCount)
        let start = now()
        var outcome = "accepted"
        do {
            for _ in 0..<rounds {
                if path.hasSuffix(".mom") {
                    _ = try DataModel(parsing: bytes)
                } else {
                    _ = try CompiledCatalog(parsing: bytes)
                }
            }
        } catch {
            outcome = "refused: \(error)"
        }
        print(milliseconds(now() - start), peak() - empty, outcome)
    }

    /// KiB. What a parent can ask for counts the parent's own peak from before the program began.
    static func peak() -> Int {
        guard let status = try? FileDescriptor.reading("/proc/self/status").read(at: 0, count: 8_192) else { return 0 }
        for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: "VmHWM:".utf8) {
            let digits = line.filter { (0x30...0x39).contains($0) }
            return Int(String(decoding: digits, as: UTF8.self)) ?? 0
        }
        return 0
    }

    static func run(_ arguments: [String]) throws {
        switch (arguments.dropFirst().first, arguments.count) {
        case ("demo", 3): try demo(arguments[2])
        case ("worst", 3):
            let directory = try Directory(creating: arguments[2])
            for (name, bytes) in CostliestFile.all { try directory.replaceFile(name, with: bytes) }
        case ("one", 3...4): try one(arguments[2], rounds: arguments.count == 4 ? Int(arguments[3]) ?? 1 : 1)
        default:
            print("usage: ResourceBench demo ZIP | worst FOLDER | one FILE [ROUNDS]")
            exit(2)
        }
    }
}

try ResourceBench.run(CommandLine.arguments)
