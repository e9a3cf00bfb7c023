/// The documents for people who use a registry, which the program has with it.
package enum Manual {
    /// A document under its name in addresses.
    package struct Document: Sendable {
        package let name: String
        /// Its purpose in a line.
        package let about: String
        /// As it was written, in Markdown.
        package let text: String

        fileprivate init(_ name: String, _ about: String, _ bytes: [UInt8]) {
            self.name = name
            self.about = about
            text = String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The documents of one kind of reader.
    package struct Part: Sendable {
        package let reader: String
        package let documents: [Document]
    }

    /// All of them. A new one is a link to its file in `Texts`, a row in `Package.swift` and one here.
    package static let parts = [
        Part(
            reader: "Authors write widgets",
            documents: [
                Document(
                    "authoring", "A widget in ten steps, and every key of every file", PackageResources.authoring_md),
                Document(
                    "tutorial-documents", "A widget without a storyboard, in ten minutes",
                    PackageResources.tutorial_documents_md),
                Document(
                    "tutorial-today", "A widget for an overview of the day, in ten minutes",
                    PackageResources.tutorial_today_md),
                Document(
                    "tutorial-declarative", "A widget in Swift, in ten minutes",
                    PackageResources.tutorial_declarative_md),
                Document("documents", "Widgets as lists of elements", PackageResources.documents_md),
                Document("screens", "Screens as text", PackageResources.screens_md),
                Document("building", "Bundles from source", PackageResources.building_md),
            ]),
        Part(
            reader: "Publishers release widgets",
            documents: [
                Document("commands", "A registry from the command line", PackageResources.commands_md),
                Document(
                    "pages-of-the-registry", "The same in a browser", PackageResources.pages_of_the_registry_md),
                Document("http", "The promises to clients, by section", PackageResources.http_md),
            ]),
        Part(
            reader: "Operators run a registry",
            documents: [
                Document("operating", "Container, proxies, tokens, backup, metrics", PackageResources.operating_md),
                Document("configuration", "Every setting", PackageResources.configuration_md),
                Document("static-copy", "A registry's answers as files", PackageResources.static_copy_md),
                Document("scaling", "Several replicas of one registry", PackageResources.scaling_md),
                Document("mirrors", "A read-only copy of another registry", PackageResources.mirrors_md),
            ]),
        Part(
            reader: "Developers of hosts show widgets",
            documents: [
                Document("hosting", "The dependency, and what is verified", PackageResources.hosting_md),
                Document("updates", "When widgets get newer data", PackageResources.updates_md),
                Document("live", "Widgets on pages that are kept up to date", PackageResources.live_md),
                Document("host", "Several widgets on one page", PackageResources.host_md),
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
