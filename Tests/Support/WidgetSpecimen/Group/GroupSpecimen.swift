import Glibc
import GroupCache
import JSONText
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRunning

/// A process that writes until it is killed, or a number of times. Each value has two equal halves, so that a mixture of
/// two values shows. A line of output follows each write.
///
/// `Specimen group FOLDER GROUP NAME COUNT` writes to a group's cache, `Specimen group FOLDER view COUNT` a widget's last view.
enum GroupSpecimen {
    static func run(_ arguments: [String]) async throws {
        if arguments.count == 3, arguments[1] == "view", let count = Int(arguments[2]) {
            try writeViews(KeptViewFile(in: arguments[0]), count)
        } else {
            try await writeEntries(arguments)
        }
    }

    private static func writeViews(_ file: KeptViewFile, _ count: Int) throws {
        for number in 0..<count {
            let text = Value.string("\(number) " + String(repeating: "x", count: number * 37 % 200_000))
            let labels = (0..<2).map { place in
                ViewNode(ViewKey(screen: 1, node: place), .label, properties: [ViewProperty(.text, text)])
            }
            let root = ViewNode(ViewKey(screen: 1, node: 9), .screen, children: labels)
            let content = AcceptedContent(digest: Digest(repeating: 1), revision: number, moment: Double(number))
            let view = View(screen: "Main", title: "", root: root)
            try file.write(KeptView(view: view, content: content, savedAt: Double(number), program: "p"))
            say("kept \(number)")
        }
    }

    private static func writeEntries(_ arguments: [String]) async throws {
        guard arguments.count == 4, let count = Int(arguments[3]) else {
            fatalError("Specimen group FOLDER GROUP NAME COUNT")
        }
        let name = try GroupName(arguments[1])
        var limits = GroupCacheLimits()
        limits.patience = .seconds(60)
        let group = try CacheGroup(
            name, at: arguments[0], access: GroupAccess(declared: [name], granted: [name]), limits: limits)
        let writer = arguments[2]

        for number in 0..<count {
            let text = JSONValue(.string("\(writer) \(number) " + String(repeating: "x", count: number * 37 % 20_000)))
            let value = JSONValue(.array([text, text]))
            let shared = try GroupKey("shared \(number % 3)")
            let entry = GroupEntry(.json(value), storedAt: Double(number), upstream: Double(number), writer: writer)
            let stored = try await group.store(entry, under: shared, at: Double(number))
            let own = GroupEntry(
                .json(JSONValue(.number(JSONNumber(Int64(number))))), storedAt: Double(number), writer: writer)
            try await group.store(own, under: try GroupKey("count", of: writer), at: Double(number))
            let bytes = [UInt8](repeating: UInt8(number & 0xFF), count: 5_000 + number)
            try await group.store(bytes, own, under: try GroupKey("picture", of: writer), at: Double(number))
            say(stored == .stored ? "stored \(number)" : "superseded \(number)")
        }
    }

    private static func say(_ text: String) {
        // Unbuffered: a process that is killed has said what it did.
        let line = Array("\(text)\n".utf8)
        unsafe line.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            _ = unsafe write(1, base, bytes.count)
        }
    }
}
