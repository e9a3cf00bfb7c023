package import WidgetCore

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
    /// Nodes and settings of all screens together. Those of elements that are taken back count as well.
    package var totalNodeCount = 20_000
    package var totalSettingCount = 200_000
    /// Components and hosted documents within each other.
    package var expansionDepth = 16
    /// Properties, styles, conditions and actions of one screen.
    package var settingCount = 100_000
    /// Actions of one event, and actions within actions.
    package var actionCount = 200
    package var actionDepth = 8
    /// Cases of one `match`, and matches within each other.
    package var caseCount = 500
    package var matchDepth = 8
    /// Names in one scope: states, parameters and components.
    package var nameCount = 500
    /// Members on the way to a part of a state that a document changes.
    package var memberDepth = 16
    /// Keys of the cache that one document uses.
    package var cachedKeyCount = 64
    /// Sources of one screen, those of hosted documents among them.
    package var sourceCount = 50
    /// The shortest time between two requests of a source, in seconds.
    package var shortestSourceInterval = 1.0
    package var diagnosticCount = 500
    /// Steps of reading all documents of a bundle; ten thousand labels take 290,000.
    package var workCount = 300_000
    /// Misspelled names of a bundle that are compared with all names which are known, for hints.
    package var hintCount = 50

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
    /// The name of its bundle, for people.
    package var name = ""
    /// In the order of their names.
    package var documents: [DocumentFile]
    package var components: [DocumentFile] = []
    /// The theme of all documents.
    package var theme: DocumentFile?
    /// The services that sources and actions can ask.
    package var services: [Service] = []
    /// The diagnostics of what was read before.
    package var diagnostics: [Finding] = []
    /// The name of the first document; `nil` if the bundle begins with a screen of another form.
    package var first: String?
    package var policy = ElementPolicy.skip
    package var registry = KindRegistry.standard
    /// The screens of another form in the same bundle.
    package var screens = OtherScreens.none
    package var limits = DocumentLimits()
    /// True if the documents are those of a program that runs here itself. Only these can call its closures, and have
    /// markup of it.
    package var allowsNative = false

    package init(identifier: String, documents: [DocumentFile], first: String?) {
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
    case unreadable(Finding)
    /// An element cannot be shown, and the bundle demands that all can.
    case element(Finding)

    package var description: String {
        switch self {
        case .missing(let name): "the bundle has no document \(name)"
        case .unreadable(let fault), .element(let fault): fault.withoutSeverity
        }
    }

    /// The place of the fault in a document, if it is in one.
    package var place: Place? {
        switch self {
        case .missing: nil
        case .unreadable(let fault), .element(let fault): fault.place
        }
    }
}
