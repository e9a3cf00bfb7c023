internal import CWidgetManual

/// The documents for people who use a registry, which the program has with it.
package enum Manual {
    /// A document under its name in addresses.
    package struct Document: Sendable {
        package let name: String
        /// Its purpose in a line.
        package let about: String
        /// As it was written, in Markdown.
        package let text: String

        fileprivate init(_ name: String, _ about: String) {
            self.name = name
            self.about = about
            text = Manual.texts[name] ?? ""
        }
    }

    /// The texts by their names.
    private static let texts: [String: String] = {
        var texts: [String: String] = [:]
        // The pointers are to constants of the program, and everything is copied at once.
        while let name = unsafe manual_text_at(texts.count).name {
            let text = unsafe manual_text_at(texts.count)
            let bytes = unsafe UnsafeBufferPointer(start: text.bytes, count: text.count)
            unsafe texts[String(cString: name)] = String(decoding: bytes, as: UTF8.self)
        }
        return texts
    }()

    /// The documents of one kind of reader.
    package struct Part: Sendable {
        package let reader: String
        package let documents: [Document]
    }

    /// All of them. A new one is a link to its file in `CManual/Texts`, its rows in `CManual.c` and one here.
    package static let parts = [
        Part(
            reader: "Authors write widgets",
            documents: [
                Document(
                    "authoring", "A widget in ten steps, and every key of every file"),
                Document(
                    "tutorial-documents", "A widget without a storyboard, in ten minutes"),
                Document(
                    "tutorial-today", "A widget for an overview of the day, in ten minutes"),
                Document(
                    "tutorial-declarative", "A widget in Swift, in ten minutes"),
                Document("documents", "Widgets as lists of elements"),
                Document("screens", "Screens as text"),
                Document("building", "Bundles from source"),
            ]),
        Part(
            reader: "Publishers release widgets",
            documents: [
                Document("publishing", "Archives, channels, ways back, and what apps get"),
                Document("outcomes", "Whether a release works on devices"),
                Document("commands", "A registry from the command line"),
                Document(
                    "pages-of-the-registry", "The same in a browser"),
                Document("http", "The promises to clients, by section"),
            ]),
        Part(
            reader: "Operators run a registry",
            documents: [
                Document("operating", "Container, proxies, tokens, backup, metrics"),
                Document("installing", "What a release has, and building from source"),
                Document("compatibility", "What stays as it is between versions"),
                Document("configuration", "Every setting"),
                Document("static-copy", "A registry's answers as files"),
                Document("scaling", "Several replicas of one registry"),
                Document("mirrors", "A read-only copy of another registry"),
            ]),
        Part(
            reader: "Developers of hosts show widgets",
            documents: [
                Document("hosting", "The dependency, and what is verified"),
                Document("updates", "When widgets get newer data"),
                Document("host", "Several widgets on one page"),
                Document("host-your-first-widget", "The library WidgetRuntime: ten lines, and all around them"),
                Document("granting-network", "The servers that a widget may ask, and your hand on each request"),
                Document("testing-by-a-script", "Widgets in the tests of an app"),
                Document("updates-and-rollbacks", "The library WidgetRegistryClient: starts, and the way back"),
                Document("offline-first", "Apps that have to show something without a network"),
                Document("pages-of-your-own", "The library WidgetPages: widgets in pages of another program"),
            ]),
    ]

    package static let documents = parts.flatMap(\.documents)

    /// The document that a link in another one leads to; `nil` for one that the program does not have with it.
    static func name(ofFile path: String) -> String? {
        let parts = path.split(separator: "/")
        if parts.suffix(2) == ["config", "README.md"] { return "configuration" }
        guard let file = parts.last, file.hasSuffix(".md"), parts.dropLast().allSatisfy({ $0 == "docs" || $0 == ".." })
        else { return nil }
        let name = String(file.dropLast(3))
        return documents.contains { $0.name == name } ? name : nil
    }
}
