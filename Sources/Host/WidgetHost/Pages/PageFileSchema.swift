package import JSONText

extension PageFile {
    package static let schemaName = "page"
    package static let schemaFiles = "PAGE.json: the slots of a page, for `widget host`"

    /// The description of a page's file, for editors.
    package static var schema: JSONSchemaDocument {
        JSONSchemaDocument(
            "Page of a widget host",
            JSONSchema.object(
                [
                    .init("$schema", .text, "the address of this schema"),
                    .init(
                        "columns",
                        JSONSchema(
                            .kinds([.integer]),
                            .range(atLeast: columnCounts.lowerBound, atMost: columnCounts.upperBound)),
                        "the most columns; as many as there is room for if not given"),
                    .init("slots", .list(of: .reference("slot")).with(.count(atLeast: 1)), "in their first order"),
                    .init("title", .text, "the heading of the page"),
                ], isClosed: true
            ).with(.required(["slots"])),
            definitions: [.init("slot", slot)])
    }

    private static var slot: JSONSchema {
        JSONSchema.object(
            [
                .init("autoload", .flag, "false for a button that loads the widget; true if not given"),
                .init("entry", .text, "the storyboard to begin with; Main if not given"),
                .init("grants", .list(of: .text), "addresses that the widget may ask, such as https://api.example/v1/"),
                .init("groups", .list(of: .text), "groups whose cached values it may share"),
                .init("instance", .text, "of a path: the widget's identifier, or an ending such as -2"),
                .init("path", .text, "a folder, an archive or a document, relative to this file"),
                .init("scaled", .flag, "true for a widget laid out 375 points wide and shown in the slot's size"),
                .init("screen", .text, "the screen to begin with"),
                .init(
                    "size", .text(offering: sizes.map(\.name) + ["320x480"]),
                    "of the widget, in points; medium if not given"),
                .init("title", .text, "the heading of the slot"),
                .init("widget", .text, "the identifier of a widget at the registry"),
            ], isClosed: true)
    }
}
