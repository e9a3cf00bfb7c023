extension Finding {
    /// The kind of a finding. Programs decide by it; codes are added and never reused. A report of a later program may have
    /// others.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }
}

// MARK: - Declarations that reach arbitrary code on a host, or stop it

extension Finding.Code {
    package static let predicateSyntax = Self(rawValue: "predicate-syntax")
    package static let predicateFunction = Self(rawValue: "predicate-function")
    package static let predicateCast = Self(rawValue: "predicate-cast")
    package static let predicateArgument = Self(rawValue: "predicate-argument")
    package static let formatArgument = Self(rawValue: "format-argument")
    package static let resultChain = Self(rawValue: "result-chain")
    package static let serviceURL = Self(rawValue: "service-url")
    package static let urlCredentials = Self(rawValue: "url-credentials")
    package static let lineBreak = Self(rawValue: "line-break")

    /// Codes of declarations that a host may not understand. Strict publishing refuses a bundle with one.
    package static let declarations: Set<Self> = [
        .unknownType, .unknownSelector, .unknownTransformer, .unknownKey, .unknownObject, .keyPath, .slowPattern,
        .plainHTTP, .privateAddress, .appAddress, .schemeName, .noInterface,
    ]

    /// Codes that make registries, mirrors and hosts refuse a bundle.
    package static let refused: Set<Self> = [
        .predicateSyntax, .predicateFunction, .predicateCast, .predicateArgument, .formatArgument, .resultChain,
        .serviceURL, .urlCredentials, .lineBreak,
    ]
}

// MARK: - Files and the bundle as a whole

extension Finding.Code {
    /// Places of a property list or strings file that their author probably meant otherwise.
    package static let repeatedKey = Self(rawValue: "repeated-key")
    package static let needlessBackslash = Self(rawValue: "needless-backslash")
    package static let smallU = Self(rawValue: "small-u")
    package static let shortNumber = Self(rawValue: "short-number")
    package static let singleQuotes = Self(rawValue: "single-quotes")
    package static let repeatedMark = Self(rawValue: "repeated-mark")

    /// A bundle without a screen to begin with.
    package static let noInterface = Self(rawValue: "no-interface")
    /// A file that was not built.
    package static let sources = Self(rawValue: "sources")
    /// A bundle with screens that could not be reviewed.
    package static let unreviewed = Self(rawValue: "unreviewed")
    package static let badFile = Self(rawValue: "bad-file")
    package static let missingFile = Self(rawValue: "missing-file")
    /// A screen's description under another name than the screen's.
    package static let schemeName = Self(rawValue: "scheme-name")
}

// MARK: - Names

extension Finding.Code {
    package static let unknownKey = Self(rawValue: "unknown-key")
    /// A class that the framework does not have. A host may bring it.
    package static let unknownType = Self(rawValue: "unknown-class")
    package static let unknownIdentifier = Self(rawValue: "unknown-identifier")
    /// An object of a scheme or of an interface that is not there.
    package static let unknownObject = Self(rawValue: "unknown-object")
    package static let unknownOutlet = Self(rawValue: "unknown-outlet")
    package static let unknownAction = Self(rawValue: "unknown-action")
    package static let unknownService = Self(rawValue: "unknown-service")
    package static let unknownEntity = Self(rawValue: "unknown-entity")
    package static let unknownScreen = Self(rawValue: "unknown-screen")
    package static let unknownTransformer = Self(rawValue: "unknown-transformer")
    package static let unknownSelector = Self(rawValue: "unknown-selector")
    package static let unknownLocale = Self(rawValue: "unknown-locale")
    package static let unknownImage = Self(rawValue: "unknown-image")
    /// An element of an unknown kind, or with unfit properties.
    package static let unknownKind = Self(rawValue: "unknown-kind")
    package static let duplicateBinding = Self(rawValue: "duplicate-binding")
    package static let duplicateIdentifier = Self(rawValue: "duplicate-identifier")
    /// A key path that leaves its object.
    package static let keyPath = Self(rawValue: "key-path")
}

// MARK: - Values

extension Finding.Code {
    package static let badValue = Self(rawValue: "bad-value")
    /// A value that its control cannot have, or limits that leave none.
    package static let outOfRange = Self(rawValue: "out-of-range")
    /// A value that something gives and nothing takes.
    package static let unusedValue = Self(rawValue: "unused-value")
    /// A parameter without a value of use that nothing gives one.
    package static let neverGiven = Self(rawValue: "never-given")
    /// A text without a translation, or a translation that no text has.
    package static let translation = Self(rawValue: "translation")
    package static let badPayload = Self(rawValue: "bad-payload")
    package static let badPredicate = Self(rawValue: "bad-predicate")
    package static let missingField = Self(rawValue: "missing-field")
    /// A regular expression on which some engines take very long.
    package static let slowPattern = Self(rawValue: "slow-pattern")
    package static let expression = Self(rawValue: "expression-failed")
    package static let bindingCycle = Self(rawValue: "binding-cycle")
    package static let timerTooFast = Self(rawValue: "timer-too-fast")
}

// MARK: - Services

extension Finding.Code {
    package static let plainHTTP = Self(rawValue: "plain-http")
    package static let privateAddress = Self(rawValue: "private-address")
    /// An address that leads to an application.
    package static let appAddress = Self(rawValue: "app-address")
    package static let response = Self(rawValue: "bad-response")
    package static let storing = Self(rawValue: "storing-failed")
    package static let deletion = Self(rawValue: "deletion-refused")
    package static let missingAuthorization = Self(rawValue: "missing-authorization")
    /// A request that changes something on a server, and would be sent because a screen opens.
    package static let sentOnLoad = Self(rawValue: "sent-on-load")
    /// A request with a `$name` that has no value.
    package static let unfilled = Self(rawValue: "unfilled")
}

// MARK: - Limits

extension Finding.Code {
    package static let byteBudget = Self(rawValue: "byte-budget")
    package static let nodeBudget = Self(rawValue: "node-budget")
    package static let depthBudget = Self(rawValue: "depth-budget")
    package static let rowBudget = Self(rawValue: "row-budget")
    package static let stepBudget = Self(rawValue: "step-budget")
    package static let timeBudget = Self(rawValue: "time-budget")
    /// More alerts, lines of a log, links of a chain or other things than there may be.
    package static let countBudget = Self(rawValue: "count-budget")
    package static let recordBudget = Self(rawValue: "record-budget")
    package static let mediatorBudget = Self(rawValue: "mediator-budget")
    package static let expressionBudget = Self(rawValue: "expression-budget")
    package static let layoutBudget = Self(rawValue: "layout-budget")
}

// MARK: - Looks

extension Finding.Code {
    /// A container with a layout that no stylesheet can express.
    package static let layoutSolved = Self(rawValue: "layout-solved")
    /// Rules of a layout that cannot hold together.
    package static let layoutConflict = Self(rawValue: "layout-conflict")
    /// Rules of a layout that leave a place open.
    package static let layoutAmbiguous = Self(rawValue: "layout-ambiguous")
    package static let notReviewed = Self(rawValue: "screens-not-reviewed")
    /// Text that is hard to read on its background.
    package static let lowContrast = Self(rawValue: "low-contrast")
    /// A control without a name that could be read aloud.
    package static let missingName = Self(rawValue: "missing-name")
    /// Text in a fixed height.
    package static let clippedText = Self(rawValue: "clipped-text")
    /// A text or a control that a reader of a narrow window does not get to see or to touch.
    package static let outOfReach = Self(rawValue: "out-of-reach")
    /// A picture of the bundle in a form that no browser shows.
    package static let unusablePicture = Self(rawValue: "unusable-picture")
    /// A view drawn by code; a page has a box with its name.
    package static let notDrawn = Self(rawValue: "not-drawn")

    /// Those of a look at the screens, which are matters of people more than of hosts.
    package static let aboutLooks: Set<Self> = [
        .layoutSolved, .layoutConflict, .layoutAmbiguous, .layoutBudget, .notReviewed, .lowContrast, .missingName,
        .clippedText, .outOfReach, .unusablePicture, .notDrawn, .unreviewed,
    ]
}

// MARK: - Hosts

extension Finding.Code {
    /// A link to a missing screen or list, or one that cannot be written.
    package static let deadLink = Self(rawValue: "dead-link")
    /// A link with addresses that another link takes.
    package static let hiddenLink = Self(rawValue: "hidden-link")
    /// A mode that the host wants and the widget does not have.
    package static let undeclaredMode = Self(rawValue: "undeclared-mode")
    /// An ability that the widget needs and the host lacks.
    package static let missingAbility = Self(rawValue: "missing-ability")
    /// A part of a bundle that only a program can have.
    package static let nativeCode = Self(rawValue: "native-code")
    /// The program behind a native widget has failed, or asks for something that cannot be.
    package static let nativeFault = Self(rawValue: "native-fault")
}
