import JSONText
import Testing
import WidgetBundles

/// A document in which each place where something must be found is marked with the code: `‹predicate-cast›`.
struct FindingCase: Sendable, CustomTestStringConvertible {
    struct Place: Hashable, CustomStringConvertible {
        var code: String
        var line: Int
        var column: Int

        var description: String { "\(line):\(column) \(code)" }
    }

    var path: String
    var marked: String

    var testDescription: String { marked.split(separator: "\n").joined(separator: " ") }

    /// The text without its marks, and what they say.
    var unmarked: (text: String, places: [Place]) {
        var text = ""
        var places: [Place] = []
        var (line, column) = (1, 1)
        var code: String?
        for character in marked.unicodeScalars {
            switch character {
            case "‹": code = ""
            case "›":
                places.append(Place(code: code ?? "", line: line, column: column))
                code = nil
            default:
                if code != nil {
                    code?.unicodeScalars.append(character)
                    continue
                }
                text.unicodeScalars.append(character)
                column += 1
                if character == "\n" { (line, column) = (line + 1, 1) }
            }
        }
        return (text, places)
    }

    func findings() throws -> [Finding] {
        try FindingCase.findings(in: [self])
    }

    static func findings(in cases: [FindingCase]) throws -> [Finding] {
        var scan = FindingScan()
        for file in cases { scan.read(file.path, try JSONTable(parsing: Array(file.unmarked.text.utf8))) }
        return scan.findings
    }

    static func findings(in path: String, _ bytes: [UInt8]) throws -> [Finding] {
        var scan = FindingScan()
        scan.read(path, try JSONTable(parsing: bytes))
        return scan.findings
    }
}

extension FindingCase {
    /// A binding of a label.
    static func binding(_ members: String) -> FindingCase {
        FindingCase(
            path: "Feed.json", marked: "{\"Feed\": {\"elements\": {\"label\": {\"bindings\": [\n  {\(members)}\n]}}}}")
    }

    static func predicate(_ text: String) -> FindingCase { binding("\"predicateFormat\": \"\(text)\"") }

    /// The attributes of a mediator.
    static func attributes(_ members: String) -> FindingCase {
        object("\"type\": \"ManagedObjectsProvider\",\n \"attrs\": {\(members)}")
    }

    static func object(_ members: String) -> FindingCase {
        FindingCase(path: "Base.lproj/Feed.json", marked: "{\"Feed\": {\n\"objects\": {\"posts\": {\(members)}}}}")
    }

    static func element(_ members: String, id: String = "label") -> FindingCase {
        FindingCase(path: "Feed.json", marked: "{\"Feed\": {\"elements\": {\"\(id)\":\n{\(members)}}}}")
    }

    static func service(_ members: String, name: String = "Service.json") -> FindingCase {
        FindingCase(path: name, marked: "{\n  \(members)\n}")
    }

    static func baseURL(_ text: String) -> FindingCase { service("\"defaults\": {\"baseUrl\": \"\(text)\"}") }
}
