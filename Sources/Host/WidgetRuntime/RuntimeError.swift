internal import WidgetHost
internal import WidgetHosting
public import WidgetRegistryClient
internal import WidgetRunning

/// The reason why a widget does not run, or does not take an event.
///
/// Programs go by the ``code``, people by the ``description`` and the ``hint``.
public struct RuntimeError: Error, ReleaseFault, Equatable, Sendable, CustomStringConvertible {
    /// A kind of error. Later versions may have more of them, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The word for it, in logs.
        public let description: String

        private init(_ word: String) { description = word }

        /// The path does not lead to a bundle, or the bundle is refused.
        public static let invalidBundle = Code("invalid-bundle")
        /// The bundle is one, and what its files say is not a widget.
        public static let invalidProgram = Code("invalid-program")
        /// The identifier of the widget is not one, or does not begin with that of the bundle.
        public static let invalidIdentifier = Code("invalid-identifier")
        /// The widget's data cannot be read or written, belong to another widget, or are in use.
        public static let store = Code("store")
        /// A grant of the network is not an address.
        public static let invalidGrant = Code("invalid-grant")
        /// The time zone is not known.
        public static let unknownTimeZone = Code("unknown-time-zone")
        /// No element of the screen has the name.
        public static let unknownElement = Code("unknown-element")
        /// The widget does not take the event now; the description is the reason.
        public static let refused = Code("refused")
        /// A script is not one, or one of its steps failed.
        public static let script = Code("script")
        /// The widget was stopped.
        public static let stopped = Code("stopped")
        /// The address of a former registry is not one.
        public static let invalidAddress = Code("invalid-address")
        /// A file is not a picture or a film that widgets take.
        public static let invalidMedia = Code("invalid-media")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
    }

    /// The kind of error, for programs.
    public let code: Code
    /// One sentence about what happened.
    public let description: String
    /// Advice, if there is any.
    public let hint: String?
    /// True if the release would fail in the same way at another time and on another machine: its bundle is refused, or is
    /// not a widget. `WidgetRelease.reject(because:)` goes by it.
    public let isFaultOfRelease: Bool

    package init(_ code: Code, _ description: String, hint: String? = nil, isFaultOfRelease: Bool = false) {
        self.code = code
        self.description = description
        self.hint = hint
        self.isFaultOfRelease = isFaultOfRelease
    }

    init(_ error: HostError) {
        switch error {
        case .widget(let error): self.init(error)
        case .registry(let error): self.init(.invalidIdentifier, "\(error)")
        case .loadedAlready, .notLoaded: self.init(.stopped, "\(error)")
        case .noScreen: self.init(.invalidProgram, "\(error)")
        }
    }

    init(_ error: WidgetError) {
        switch error {
        case .identifierMismatch:
            self.init(.invalidIdentifier, "\(error)", hint: "a widget's identifier begins with its bundle's")
        case .source, .bundle, .build, .archive, .tooLarge:
            let isFault = error.isFaultOfBundle
            self.init(
                .invalidBundle, "\(error)", hint: isFault ? "`widget inspect` explains each finding" : nil,
                isFaultOfRelease: isFault)
        case .program:
            self.init(
                .invalidProgram, "\(error)", hint: "`widget build` names the place of each error",
                isFaultOfRelease: error.isFaultOfBundle)
        case .storeInUse:
            self.init(.store, "\(error)", hint: "the release is not at fault; try again when the other one has ended")
        case .storeOfAnother:
            self.init(
                .store, "\(error)",
                hint: "`WidgetConfiguration.formerRegistries` or `adoptsData` lets the data follow the widget")
        case .store, .file, .viewTooLarge, .noDigest:
            self.init(.store, "\(error)", hint: "the release is not at fault; another folder for the data begins anew")
        case .script: self.init(.script, "\(error)")
        }
    }
}
