internal import WidgetCore

/// The service descriptions of a bundle of documents.
///
/// `Service.json` and `StubService.json` are those of the other form of bundles, under the names `Service` and
/// `StubService`. A file in the folder `services` describes a service of its name. One whose name begins with `Stub`
/// answers from its description.
struct DocumentServices {
    private(set) var services: [Service] = []
    private(set) var diagnostics: [Finding] = []

    private static let folder = "services/"
    private static let ending = ".json"
    /// The end of the names of descriptions that are preferred during development.
    private static let developmentEnding = ".dev.json"
    private static let scriptedPrefix = "Stub"

    init(_ files: BundleFiles, _ options: ProgramOptions) {
        var paths: [String: String] = [:]
        for path in files.paths {
            guard let (name, isForDevelopment) = DocumentServices.name(of: path) else { continue }
            // The one for the present use, or else the only one.
            if paths[name] == nil || isForDevelopment == options.isDevelopment { paths[name] = path }
        }
        for name in ["Service", "StubService"] where paths[name] == nil {
            // In a folder of a language.
            if let found = files.resource("\(name)\(DocumentServices.ending)") { paths[name] = found.path }
        }
        var left = options.limits.serviceByteCount
        for (name, path) in paths.sorted(by: { $0.key < $1.key }) {
            guard let bytes = files[path] else { continue }
            left -= bytes.count
            guard left >= 0, services.count < options.limits.serviceCount else {
                diagnostics.append(
                    Finding(
                        .error, left < 0 ? .byteBudget : .countBudget,
                        left < 0
                            ? "The services come to more than \(options.limits.serviceByteCount) bytes"
                            : "There are more than \(options.limits.serviceCount) services",
                        at: Place(file: path), hint: "this one is not read"))
                continue
            }
            let reader = ServiceReader(
                bytes, path: path, name: name, isScripted: name.hasPrefix(DocumentServices.scriptedPrefix),
                options.limits)
            diagnostics += reader.diagnostics
            if let service = reader.service { services.append(service) }
        }
    }

    /// The name of the service that a file describes; `nil` for another file.
    private static func name(of path: String) -> (name: String, isForDevelopment: Bool)? {
        guard path.hasSuffix(ending) else { return nil }
        var name = path.dropLast(ending.count)
        let isForDevelopment = path.hasSuffix(developmentEnding)
        if isForDevelopment { name = path.dropLast(developmentEnding.count) }
        if name.hasPrefix(folder) {
            let rest = name.dropFirst(folder.count)
            return rest.isEmpty || rest.contains("/") ? nil : (String(rest), isForDevelopment)
        }
        guard name == "Service" || name == "StubService" && !isForDevelopment else { return nil }
        return (String(name), isForDevelopment)
    }
}
