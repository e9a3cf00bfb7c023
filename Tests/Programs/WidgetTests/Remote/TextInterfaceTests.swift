import CommandSupport
import ConformanceSupport
import Foundation
import Testing
import WidgetBuild
import WidgetBytes
import WidgetNib
import WidgetTestSupport

/// Goal: an interface means the same in both of its forms, to every command and to a registry. Method: a sample as it
/// is built, and with each of its interfaces as a keyed archive in the XML form: published, inspected and rendered.
@Suite(.callingThreads) struct `A widget whose interfaces are property lists of the XML form` {
    private static func archive(_ name: String, asText: Bool) throws -> [UInt8] {
        let sources = Corpus.tree(at: "\(SampleSources.folder)/\(name)")
        let files = try BundleCompiler(sources, folder: name).files
        var changed = 0
        let entries = try files.map { file -> (String, [UInt8]) in
            guard asText, file.path.hasSuffix(".nib") else { return (file.path, file.bytes) }
            changed += 1
            return (file.path, try TextNib.text(of: file.bytes))
        }
        #expect(!asText || changed > 3)
        return ZipForge(entries.map { .init(Array("\(name).bundle/\($0.0)".utf8), $0.1) }).build().bytes
    }

    @Test(arguments: ["HarbourLog", "Aviary"])
    func `A widget with XML interfaces is published without a warning, and looks the same as with binary ones`(
        _ name: String
    ) throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        var shown: [String] = []
        var seen: [[Substring]] = []
        for asText in [false, true] {
            let path = try folder.write("\(asText).zip", Self.archive(name, asText: asText))
            let inspected = try Program.run(["inspect", path])
            #expect(inspected.exitCode == 0, "\(inspected.error)")
            seen.append(
                inspected.output.split(separator: "\n").filter { line in
                    !["sha256 ", "content ", "kept "].contains { line.hasPrefix($0) }
                })
            let rendered = try Program.run(["render", path])
            #expect(rendered.exitCode == 0, "\(rendered.error)")
            shown.append(rendered.output)
        }
        #expect(seen[0] == seen[1])
        #expect(shown[0] == shown[1] && shown[0].utf8.count > 100)
        let registry = try Registry()
        let published = try Program.run(
            ["publish", folder.path("true.zip"), "--strict"],
            environment: ["WIDGET_SERVER": registry.url, "WIDGET_TOKEN": Registry.adminToken])
        #expect(published.exitCode == 0, "\(published.error)")
    }
}

/// An interface as a keyed archive in a property list of the XML form, which is how Interface Builder once kept them.
struct TextNib {
    private let graph: NibGraph
    private var objects: [String] = ["<string>$null</string>"]
    private var classes: [String: Int] = [:]

    /// Nothing when the interface is in that form already.
    static func text(of bytes: [UInt8]) throws -> [UInt8] {
        var nib = TextNib(graph: try NibDocument(parsing: bytes).graph)
        return Array(try nib.text().utf8)
    }

    private init(graph: NibGraph) { self.graph = graph }

    private mutating func text() throws -> String {
        // The objects follow the null object; the classes follow all objects.
        objects += Array(repeating: "", count: graph.objects.count)
        for object in graph.objects.indices { objects[object + 1] = try described(object) }
        let top = try members(graph.root)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$objects</key><array>
            \(objects.joined(separator: "\n"))
            </array>
            <key>$top</key><dict>\(top)</dict>
            <key>$version</key><integer>100000</integer>
            </dict></plist>

            """
    }

    private static func reference(_ number: Int) -> String {
        "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private mutating func described(_ object: Int) throws -> String {
        let name = graph.className(of: object)
        if name == "NSString", let data = graph.value(of: object, NibKey.bytes)?.data {
            return "<string>\(Self.escaped(graph.text(of: data)))</string>"
        }
        let entry = graph.classes[Int(graph.objects[object].classIndex)]
        let number: Int
        if let known = classes[name] {
            number = known
        } else {
            number = objects.count
            classes[name] = number
            let hints = entry.fallbacks.map { "<string>\(graph.classes[Int($0)].name)</string>" }.joined()
            objects.append(
                "<dict><key>$classname</key><string>\(name)</string><key>$classes</key><array><string>\(name)</string>"
                    + "</array><key>$classhints</key><array>\(hints)</array></dict>")
        }
        return "<dict><key>$class</key>\(Self.reference(number))\(try members(object))</dict>"
    }

    /// The keys and values of an object; the elements of a collection are in separate lists.
    private func members(_ object: Int) throws -> String {
        var text = ""
        var elements: [String] = []
        for value in graph.values(of: object) {
            let key = graph.keys[Int(value.key)]
            if key == NibKey.isInlined { continue }
            let spelled = try spelled(
                value.content, isNib: key == NibKey.bytes && graph.className(of: object) == "NSData")
            if key == NibKey.element { elements.append(spelled) } else { text += "<key>\(key)</key>\(spelled)" }
        }
        if graph.className(of: object).hasSuffix("Dictionary") {
            let keys = stride(from: 0, to: elements.count, by: 2).map { elements[$0] }.joined()
            let values = stride(from: 1, to: elements.count, by: 2).map { elements[$0] }.joined()
            return "<key>NS.keys</key><array>\(keys)</array><key>NS.objects</key><array>\(values)</array>\(text)"
        }
        let isList = ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet"].contains(graph.className(of: object))
        return isList ? "<key>NS.objects</key><array>\(elements.joined())</array>\(text)" : text
    }

    private func spelled(_ content: NibContent, isNib: Bool) throws -> String {
        switch content {
        case .boolean(let flag): return flag ? "<true/>" : "<false/>"
        case .float, .double: return "<real>\(content.double ?? 0)</real>"
        case .null: return Self.reference(0)
        case .object(let number): return Self.reference(Int(number) + 1)
        case .data(let data):
            let bytes = Array(graph.bytes(of: data))
            // Cells are interfaces in interfaces.
            let isInner = isNib && bytes.starts(with: "NIBArchive".utf8)
            return "<data>\(Base64.string(isInner ? try Self.text(of: bytes) : bytes))</data>"
        default: return "<integer>\(content.integer ?? 0)</integer>"
        }
    }
}
