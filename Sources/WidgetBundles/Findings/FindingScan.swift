package import JSONText

/// Reads the declarative files of a bundle, one after another, and says what it finds.
///
/// Services come first: a scheme may name what they declare. A file is forgotten once it was read, so that it
/// does not matter how many there are.
package struct FindingScan {
    private var transformers = FrameworkNames.transformers
    private var sheets: [(path: String, findings: [Finding])] = []
    private var interfaces = InterfaceNames()
    /// By file: names that an interface has to have, which may be read later.
    private var references: [String: SchemeReferences] = [:]

    package init() {}

    /// Whether files of that name have to be read before others.
    package static func comesFirst(_ path: String) -> Bool { DeclarativeFile.isService(path) }

    /// Takes in a parsed JSON file of the bundle.
    package mutating func read(_ path: String, _ document: JSONTable) {
        let found: [Finding]
        switch DeclarativeFile(path: path, root: document.root) {
        case .data: return
        case .service(let service):
            transformers.formUnion(ServiceScan.dateTransformers(of: service))
            var scan = ServiceScan(sheet: FindingSheet(path: path, document: document))
            scan.read(service)
            found = scan.sheet.sorted()
        case .scheme(let screens, let isNamedAfterFile):
            var scan = SchemeScan(sheet: FindingSheet(path: path, document: document), transformers: transformers)
            scan.read(screens, isNamedAfterFile: isNamedAfterFile)
            found = scan.sheet.sorted()
            let names = SchemeReferences(screens, sheet: FindingSheet(path: path, document: document))
            if !names.unresolved.isEmpty { references[path] = names }
        }
        if !found.isEmpty || references[path] != nil { sheets.append((path, found)) }
    }

    /// Takes in a compiled interface of the bundle.
    package mutating func read(interface bytes: [UInt8]) { interfaces.add(bytes) }

    /// In the order of the files' paths, and of the places inside each.
    package var findings: [Finding] {
        sheets.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }.flatMap { path, findings in
            guard interfaces.isComplete, let names = references[path] else { return findings }
            let unknown = names.unresolved.filter { !interfaces.contains($0.name) }.map(\.finding)
            return FindingSheet.sorted(findings + unknown)
        }
    }
}
