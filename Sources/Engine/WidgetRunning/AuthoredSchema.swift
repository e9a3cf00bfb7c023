package import JSONText
internal import WidgetBundles
internal import WidgetDocuments
internal import WidgetFormats

/// The kinds of authored files that editors can complete, each with its JSON Schema.
package enum AuthoredSchema: String, CaseIterable, Sendable {
    case scheme, service, script, manifest, document

    /// The files of this kind, for people.
    package var files: String {
        switch self {
        case .scheme: "SCREEN.json: the objects, elements and bindings of a screen"
        case .service: "Service.json, Service.dev.json, StubService.json: actions and their requests"
        case .script: "event scripts, for `widget render --events` and `widget run --events`"
        case .document: "NAME.widgets.json: the elements of a document"
        case .manifest: "Info.plist as JSON: identifier, versions and names"
        }
    }

    package var document: JSONSchemaDocument {
        switch self {
        case .scheme: FormatSchemas.scheme
        case .service: FormatSchemas.service
        case .script: EventScript.schema
        case .manifest: BundleManifest.schema
        case .document: DocumentSchema.document(KindRegistry.standard.specs)
        }
    }
}
