package import JSONText

/// Reads the declarative files of a bundle and says what it finds.
package enum FindingScan {
    /// - Parameter files: the parsed JSON documents of a bundle by path inside the bundle folder.
    /// - Returns: the findings in the order of the files, and of the places inside each.
    package static func findings(in files: [(path: String, document: JSONDocument)]) -> [Finding] {
        let kinds = files.map { DeclarativeFile(path: $0.path, root: $0.document.root) }
        let transformers = kinds.reduce(into: FrameworkNames.transformers) { names, kind in
            if case .service(let service) = kind { names.formUnion(ServiceScan.dateTransformers(of: service)) }
        }
        var findings: [Finding] = []
        for (file, kind) in zip(files, kinds) {
            let sheet = FindingSheet(path: file.path, document: file.document)
            switch kind {
            case .data: continue
            case .service(let service):
                var scan = ServiceScan(sheet: sheet)
                scan.read(service)
                findings += scan.sheet.sorted()
            case .scheme(let screens, let isNamedAfterFile):
                var scan = SchemeScan(sheet: sheet, transformers: transformers)
                scan.read(screens, isNamedAfterFile: isNamedAfterFile)
                findings += scan.sheet.sorted()
            }
        }
        return findings
    }
}
