package import JSONText
internal import WidgetBytes
package import WidgetFindings
package import WidgetPlist

/// Reads the declarative files of a bundle, one after another, for declarations that no host may act on, and for places of
/// property lists that their author probably meant otherwise.
///
/// All else that a bundle means is judged by the reader of its program. Files are not kept after reading, so their number does
/// not matter.
package struct FindingScan {
    private var sheets: [(path: String, findings: [Finding])] = []

    package init() {}

    /// Reads a parsed JSON file of the bundle.
    package mutating func read(_ path: String, _ document: JSONTable) {
        let found: [Finding]
        switch DeclarativeFile(path: path, root: document.root) {
        case .data: return
        case .service(let service):
            var scan = ServiceScan(sheet: FindingSheet(path: path, document: document))
            scan.read(service)
            found = scan.sheet.sorted()
        case .scheme(let screens):
            var scan = SchemeScan(sheet: FindingSheet(path: path, document: document))
            scan.read(screens)
            found = scan.sheet.sorted()
        }
        if !found.isEmpty { sheets.append((path, found)) }
    }

    /// Reads the notes on a property list or strings file of the bundle.
    package mutating func read(_ path: String, _ notes: [PlistNote]) {
        sheets.append((path, FindingSheet.sorted(notes.map { Finding($0, path: path) })))
    }

    /// Findings sorted by the files' paths, and by the places inside each.
    package var findings: [Finding] {
        sheets.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }.flatMap { $0.findings }
    }
}

extension Finding.Code {
    /// The severity of a finding of the rules of bundles.
    fileprivate var severity: Finding.Severity { Finding.Code.refused.contains(self) ? .error : .warning }
}

extension Finding {
    fileprivate init(_ note: PlistNote, path: String) {
        let code: Finding.Code =
            switch note.subject {
            case .repeatedKey: .repeatedKey
            case .needlessBackslash: .needlessBackslash
            case .smallU: .smallU
            case .shortNumber: .shortNumber
            case .singleQuotes: .singleQuotes
            case .repeatedMark: .repeatedMark
            }
        let place = Place(file: path, line: note.position.line, column: note.position.column)
        self.init(code.severity, code, "\(note.subject)", at: place)
    }
}

/// The findings in one file, as they are collected.
struct FindingSheet {
    /// The limit on listed findings; a file with so many is refused anyway.
    static let countLimit = 200

    let path: String
    private let bytes: [UInt8]
    /// Made for the first finding; most files have none.
    private var lines: LineTable?
    private var findings: [Finding] = []

    init(path: String, document: JSONTable) {
        self.path = path
        bytes = document.bytes
    }

    /// Notes a finding at a value, or at an offset inside a string's text.
    mutating func note(
        _ code: Finding.Code, at span: JSONSpan, textOffset: Int? = nil, _ detail: String, hint: String? = nil
    ) {
        guard findings.count < FindingSheet.countLimit else { return }
        let offset = textOffset.map { StringPlace.offset(ofText: $0, in: span, of: bytes) } ?? span.offset
        let table = lines ?? LineTable(bytes)
        lines = table
        let position = table.position(of: offset)
        findings.append(
            Finding(
                code.severity, code, detail, at: Place(file: path, line: position.line, column: position.column),
                hint: hint))
    }

    /// Returns findings in the order of their places in the file.
    func sorted() -> [Finding] { FindingSheet.sorted(findings) }

    static func sorted(_ findings: [Finding]) -> [Finding] {
        findings.sorted { first, second in
            guard let one = first.place, let other = second.place else { return false }
            return (one.line, one.column, first.code.rawValue) < (other.line, other.column, second.code.rawValue)
        }
    }
}

/// The meaning of a bundle's JSON file to a host.
package enum DeclarativeFile {
    /// Screens by their root keys.
    case scheme([JSONItem.Member])
    case service(JSONItem.Object)
    /// The widget's own content, on which hosts do not act.
    case data

    private static let shortestServiceName = "service.json".utf8.count
    /// The folder of the services of documents.
    private static let serviceFolder = "services"
    private static let serviceNames: Set<String> = ["service.json", "service.dev.json", "stubservice.json"]

    package init(path: String, root: JSONItem) {
        guard let object = root.object else {
            self = .data
            return
        }
        if DeclarativeFile.isService(path) {
            self = .service(object)
            return
        }
        let name = String(path.lastPathComponent)
        let stem = name.lowercased().hasSuffix(".json") ? String(name.dropLast(5)) : name
        let screens = object.members.filter { member in
            member.name == stem
                ? member.value["objects"]?.object != nil || member.value["elements"]?.object != nil
                : DeclarativeFile.looksLikeScheme(member.value)
        }
        self = screens.isEmpty ? .data : .scheme(screens)
    }

    /// Returns true if a host would read a file of that name as a service description.
    private static func isService(_ path: String) -> Bool {
        path.utf8.count >= shortestServiceName
            && (serviceNames.contains(path.lastPathComponent.lowercased())
                || path.lowercased().hasSuffix(".json")
                    && path.split(separator: "/").dropLast().last.map(String.init) == serviceFolder)
    }

    /// Data may well have a member called `elements`; the entries of a scheme have more specific keys.
    private static func looksLikeScheme(_ value: JSONItem) -> Bool {
        hasEntry(of: value["objects"], with: ["type", "attrs", "outlets", "evals"])
            || hasEntry(of: value["elements"], with: ["bindings", "attrs", "outlets", "action"])
    }

    private static func hasEntry(of map: JSONItem?, with keys: [String]) -> Bool {
        map?.object?.members.contains { member in
            member.value.object.map { entry in keys.contains { entry[$0] != nil } } ?? false
        } ?? false
    }
}
