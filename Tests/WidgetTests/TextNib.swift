import Bytes
import Nib

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
        // Each object behind the one for nothing; classes behind all of them.
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

    /// The keys and values of an object; the elements of a collection are in lists of their own.
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
