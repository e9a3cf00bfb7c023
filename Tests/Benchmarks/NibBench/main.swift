import Glibc
import WidgetFiles
import WidgetNib
import WidgetZip

/// `NibBench decode SECONDS [ZIP]`: how fast interfaces are decoded, in megabytes a second of processor time: those of
/// the archive, or else a forged one of their shape; and how long all of the archive's take, prototypes included.
/// `NibBench worst FOLDER` writes files that are as costly as the limits allow; `NibBench one FILE` decodes one and prints
/// milliseconds, the most memory it took beyond the empty program's, in KiB, and what came of it.
enum NibBench {
    /// Processor time of this program, in seconds.
    static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    static func nibs(in path: String) throws -> [[UInt8]] {
        let archive = try FileDescriptor.reading(path)
        var reader = try ZipEntryReader()
        var nibs: [[UInt8]] = []
        for entry in try ZipDirectory(reading: archive).entries where entry.name.text.hasSuffix(".nib") {
            var bytes: [UInt8] = []
            _ = try reader.read(entry, from: archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                for index in chunk.indices { bytes.append(chunk[index]) }
            }
            nibs.append(bytes)
        }
        return nibs
    }

    /// Labels with frames, texts and colours, as Xcode archives them.
    static func forged(labels: Int) -> [UInt8] {
        var builder = NibGraphBuilder()
        let list = UInt32(1)
        builder.beginObject(builder.classIndex("NSObject"))
        for key in ["UINibTopLevelObjectsKey", "UINibObjectsKey"] { builder.add(key, .object(list)) }
        builder.beginObject(builder.classIndex("NSArray"))
        builder.add(NibKey.isInlined, .boolean(true))
        for label in 0..<labels { builder.add(NibKey.element, .object(UInt32(2 + 2 * label))) }
        for label in 0..<labels {
            builder.beginObject(builder.classIndex("UILabel"))
            builder.add("UIBounds", .data(builder.store(NibElement.pack([0, 0, 100, Double(label)]))))
            builder.add("UICenter", .data(builder.store(NibElement.pack([50, Double(label) / 2]))))
            for key in ["UIDeepDrawRect", "UIUserInteractionDisabled", "UIAutoresizeSubviews"] {
                builder.add(key, .boolean(true))
            }
            builder.add("UIAutoresizingMask", .int8(36))
            builder.add("UIText", .object(UInt32(3 + 2 * label)))
            builder.add("UINumberOfLines", .int16(Int16(truncatingIfNeeded: label)))
            builder.beginObject(builder.classIndex("NSString"))
            builder.add(NibKey.bytes, .data(builder.store("Label number \(label)".utf8)))
        }
        return NibArchive(builder.finish()).encode()
    }

    static func decode(_ nibs: [[UInt8]], seconds: Double) throws {
        let size = nibs.reduce(0) { $0 + $1.count }
        var rounds = 0
        var values = 0
        let start = now()
        while now() - start < seconds {
            for nib in nibs { values += try NibDocument(parsing: nib).graph.values.count }
            rounds += 1
        }
        let rate = Double(size * rounds) / (now() - start) / 1e6
        print("decode: \(nibs.count) interfaces of \(size) bytes, \(Int(rate)) MB/s, \(values / rounds) values")
        let before = now()
        for nib in nibs {
            let same = try NibDocument(parsing: nib).encode() == nib
            precondition(same, "an interface is not written as it was read")
        }
        print("decode, encode, compare: \(milliseconds(now() - before)) ms")
    }

    /// Reading the archive included.
    static func complete(_ path: String) throws {
        let start = now()
        var prototypes = 0
        var views = 0
        for nib in try nibs(in: path) {
            let interface = NibInterface(try NibDocument(parsing: nib).graph)
            guard let root = interface.owned("view") else { continue }
            for entry in NibViewTree(root).entries {
                views += 1
                prototypes += try NibPrototype.prototypes(of: entry.view).count
            }
        }
        print("complete: \(milliseconds(now() - start)) ms, \(views) views, \(prototypes) prototypes")
    }

    static func milliseconds(_ seconds: Double) -> Double { (seconds * 1e5).rounded() / 100 }

    static func one(_ path: String) throws {
        let empty = peak()
        let file = try FileDescriptor.reading(path)
        let bytes = try file.read(at: 0, count: file.status().byteCount)
        let start = now()
        var outcome = "accepted"
        do {
            _ = try NibDocument(parsing: bytes)
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

    static func writeWorst(into folder: String) throws {
        let directory = try Directory(creating: folder)
        for (name, bytes) in WorstCase.all { try directory.replaceFile("\(name).nib", with: bytes) }
    }

    static func run(_ arguments: [String]) throws {
        switch (arguments.dropFirst().first, arguments.count) {
        case ("decode", 3...4):
            let seconds = Double(arguments[2]) ?? 1
            if arguments.count == 4 {
                try complete(arguments[3])
                try decode(try nibs(in: arguments[3]), seconds: seconds)
            } else {
                try decode([forged(labels: 120)], seconds: seconds)
            }
        case ("worst", 3): try writeWorst(into: arguments[2])
        case ("one", 3): try one(arguments[2])
        default:
            print("usage: NibBench decode SECONDS [ZIP] | worst FOLDER | one FILE")
            exit(2)
        }
    }
}

try NibBench.run(CommandLine.arguments)
