internal import JSONText
internal import WidgetBytes
internal import WidgetCore

/// The documents and components of a bundle, each parsed once.
struct DocumentLibrary: Sendable {
    let registry: KindRegistry
    /// By their names.
    let services: [String: Service]
    /// The screens of another form in the same bundle.
    let screens: OtherScreens
    /// True if actions can call closures, and elements have markup.
    let allowsNative: Bool
    private(set) var documents: [String: DocumentSource] = [:]
    /// Those that are files, by their names.
    private(set) var components: [String: DocumentValue] = [:]
    /// The file of the theme that all documents have, and what it says.
    private(set) var themeFile: DocumentSource?
    var theme = Theme.standard
    private(set) var diagnostics: [Finding] = []
    /// The reasons that files cannot be read, by path.
    private(set) var failures: [String: Finding] = [:]

    init(_ input: DocumentInput) {
        registry = input.allowsNative ? input.registry.withNative : input.registry
        allowsNative = input.allowsNative
        services = Dictionary(input.services.map { ($0.name, $0) }) { first, _ in first }
        screens = input.screens
        var left = input.limits.byteCount
        var count = 0
        // The first document has the first share of the limits.
        let documents =
            input.documents.filter { $0.name == input.first } + input.documents.filter { $0.name != input.first }
        for (file, isDocument) in documents.map({ ($0, true) }) + input.components.map({ ($0, false) }) {
            count += 1
            left -= file.bytes.count
            guard count <= input.limits.fileCount, left >= 0 else {
                let sentence =
                    left < 0
                    ? "The documents come to more than \(input.limits.byteCount) bytes"
                    : "There are more than \(input.limits.fileCount) documents and components"
                fail(
                    file,
                    Finding(
                        .error, left < 0 ? .byteBudget : .countBudget, sentence, at: Place(file: file.path),
                        hint: "this one is not read"))
                continue
            }
            do throws(JSONError) {
                let source = try DocumentSource(file, input.limits)
                if isDocument {
                    self.documents[file.name] = source
                } else {
                    components[file.name] = DocumentValue(source.root, ValuePath(), in: source)
                }
            } catch {
                fail(file, error)
            }
        }
        guard let file = input.theme else { return }
        do throws(JSONError) {
            themeFile = try DocumentSource(file, input.limits)
        } catch {
            fail(file, error)
        }
    }

    private mutating func fail(_ file: DocumentFile, _ error: JSONError) {
        fail(
            file,
            Finding(
                .error, .badFile, "\(error.reason)",
                at: Place(file: file.path, line: error.line, column: error.column, path: error.path.description)))
    }

    private mutating func fail(_ file: DocumentFile, _ diagnostic: Finding) {
        diagnostics.append(diagnostic)
        failures[file.path] = diagnostic
    }

    /// The entry point that pushes a document onto the screens of a navigation bar.
    static func pushed(_ name: String) -> String { "push \(name)" }

    /// The name of a document's scene and entry: its own, unless a screen of another form has that.
    func sceneName(_ document: String) -> String {
        screens.isTaken(document) ? document + DocumentWords.ending : document
    }

    /// The entry that shows a document, or else a screen of another form.
    ///
    /// - Parameter isPushed: true if it comes onto the screens of a navigation bar.
    func entry(_ name: String, isPushed: Bool) -> String? {
        if documents[name] != nil {
            let scene = sceneName(name)
            return isPushed ? DocumentLibrary.pushed(scene) : scene
        }
        guard let screen = screens[name] else { return nil }
        return isPushed ? DocumentLibrary.pushed(screen.scene.name) : screen.entry
    }

    /// The document or screen that an author may have meant.
    func hint(_ name: String) -> String { hint(name, among: documents.keys.sorted() + screens.names) }

    /// The document that an author may have meant.
    func documentHint(_ name: String) -> String { hint(name, among: documents.keys.sorted()) }

    private func hint(_ name: String, among names: [String]) -> String {
        return NearestName.of(name, in: names).map { "did you mean \($0)?" } ?? "it has \(NameList(names))"
    }
}

/// The parts of a document, whose root is a list of elements, one element, or a scene.
struct SceneParts {
    let root: DocumentValue
    /// `nil` for a document that is not a scene.
    let scene: DocumentValue?
    /// Its own and those of the bundle; its own come first.
    private(set) var components: [String: DocumentValue]

    init(_ source: DocumentSource, _ library: DocumentLibrary) {
        let whole = DocumentValue(source.root, ValuePath(), in: source)
        components = library.components
        guard let object = source.root.object, object["kind"] == nil else {
            (root, scene) = (whole, nil)
            return
        }
        scene = whole
        // A scene without elements is empty.
        root = whole["root"] ?? DocumentValue(JSONValue(.array([])), ValuePath(), in: source)
        for (name, component) in whole["components"]?.members ?? [] { components[name] = component }
    }

    var parameters: DocumentValue? { scene?["parameters"] }

    var state: DocumentValue? { scene?["state"] }

    var cache: DocumentValue? { scene?["cache"] }
}
