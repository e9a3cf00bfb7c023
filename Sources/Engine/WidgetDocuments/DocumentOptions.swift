/// The limits of reading documents, many times the size of a large widget. Reaching one is a diagnostic.
package struct DocumentLimits: Sendable {
    /// Bytes of all documents and components of a bundle together.
    package var byteCount = 4 << 20
    /// Documents and files of components.
    package var fileCount = 256
    /// Arrays and objects within each other in one file, and values of one file.
    package var valueDepth = 80
    package var valueCount = 200_000
    /// Elements within elements, those that components and hosts bring among them.
    package var elementDepth = 32
    /// Nodes of one screen, after components have been put in place.
    package var nodeCount = 10_000
    /// Components and hosted documents within each other.
    package var expansionDepth = 16
    /// Properties, styles, conditions and actions of one screen.
    package var settingCount = 100_000
    /// Actions of one event, and actions within actions.
    package var actionCount = 200
    package var actionDepth = 8
    /// Names in one scope: states, parameters and components.
    package var nameCount = 500
    package var diagnosticCount = 500

    package init() {}
}

/// The outcome for an element that cannot be shown, and has no `fallback`.
package enum ElementPolicy: String, Sendable, CaseIterable {
    /// A note in its place, for authors.
    case placeholder
    /// It is left out.
    case skip
    /// Nothing of the bundle is shown.
    case fail
    /// As in the original: its document shows nothing, and numbers that are dates count from 2001.
    case strict
}

/// A document or a component of a bundle, as it came.
package struct DocumentFile: Sendable {
    /// The path in the bundle.
    package var path: String
    /// The name by which other documents know it.
    package var name: String
    package var bytes: [UInt8]

    package init(path: String, name: String, bytes: [UInt8]) {
        self.path = path
        self.name = name
        self.bytes = bytes
    }
}

/// Everything that the reader of documents gets.
package struct DocumentInput: Sendable {
    package var identifier: String
    /// In the order of their names.
    package var documents: [DocumentFile]
    package var components: [DocumentFile] = []
    /// The name of the first document.
    package var first: String
    package var policy = ElementPolicy.skip
    package var registry = KindRegistry.standard
    package var limits = DocumentLimits()

    package init(identifier: String, documents: [DocumentFile], first: String) {
        self.identifier = identifier
        self.documents = documents
        self.first = first
    }
}

/// The reason that no program can be made of documents.
package enum DocumentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bundle names a first document that it does not have.
    case missing(String)
    /// The first document is not JSON, or its form is another one.
    case unreadable(String)
    /// An element cannot be shown, and the bundle demands that all can.
    case element(String)

    package var description: String {
        switch self {
        case .missing(let name): "the bundle has no document \(name)"
        case .unreadable(let sentence), .element(let sentence): sentence
        }
    }
}
