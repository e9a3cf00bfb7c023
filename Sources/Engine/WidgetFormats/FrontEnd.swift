internal import WidgetBytes
package import WidgetCore
package import WidgetDocuments
package import WidgetNib
package import WidgetObjectModel

/// A form in which widgets are authored: it recognises its files, and lowers them to a program.
///
/// Faults in a part of a bundle become diagnostics of the program. An error means that no program could be made.
package protocol FrontEnd: Sendable {
    /// The form's name for people.
    static var name: String { get }
    /// The ends of the names of the files that it reads.
    static var endings: [String] { get }

    /// True if a bundle is written in this form.
    static func recognises(_ files: BundleFiles) -> Bool

    static func program(_ files: BundleFiles, _ options: ProgramOptions) throws(FormatError) -> Program
}

/// Options of making a program of a bundle, for every form.
package struct ProgramOptions: Sendable {
    /// The identifier of the widget; instances of one bundle have different ones.
    package var identifier: String
    /// The name of the bundle, for people.
    package var name = ""
    /// The name of the first interface, if the form has several.
    package var entryPoint = FirstScreen.storyboard
    /// True if the description for development is preferred.
    package var isDevelopment = false
    package var limits = FormatLimits()

    package init(
        identifier: String, entryPoint: String = FirstScreen.storyboard, isDevelopment: Bool = false,
        limits: FormatLimits = FormatLimits()
    ) {
        self.identifier = identifier
        self.entryPoint = entryPoint
        self.isDevelopment = isDevelopment
        self.limits = limits
    }
}

extension FrontEnd {
    package static func program(
        _ files: BundleFiles, identifier: String, entryPoint: String = FirstScreen.storyboard,
        isDevelopment: Bool = false,
        limits: FormatLimits = FormatLimits()
    ) throws(FormatError) -> Program {
        try program(
            files,
            ProgramOptions(
                identifier: identifier, entryPoint: entryPoint, isDevelopment: isDevelopment, limits: limits))
    }
}

/// A front end as a value: a row of the list.
package struct ListedFrontEnd: Sendable {
    package let name: String
    package let endings: [String]
    fileprivate let recognises: @Sendable (BundleFiles) -> Bool
    fileprivate let program: @Sendable (BundleFiles, ProgramOptions) throws(FormatError) -> Program

    fileprivate init<Form: FrontEnd>(_ form: Form.Type) {
        name = Form.name
        endings = Form.endings
        recognises = { Form.recognises($0) }
        program = { (files, options) throws(FormatError) in try Form.program(files, options) }
    }
}

/// The forms in which widgets can be authored.
package enum FrontEnds {
    /// All front ends, in the order in which they are asked. A new one needs a row here.
    package static let all: [ListedFrontEnd] = [
        .init(MixedFrontEnd.self), .init(DocumentFrontEnd.self), usual,
    ]

    private static let usual = ListedFrontEnd(WidgetKitReader.self)

    /// The ends of the names of all files that any of them reads.
    package static var endings: Set<String> { Set(all.flatMap { $0.endings }) }

    /// The program of a bundle, by the first front end that recognises it. A bundle that none does lacks its storyboard.
    package static func program(_ files: BundleFiles, _ options: ProgramOptions) throws(FormatError) -> Program {
        let frontEnd = all.first { $0.recognises(files) } ?? usual
        return try frontEnd.program(files, options)
    }
}

/// The reason that no program can be made of a bundle. Faults of its parts are diagnostics of the program instead.
package enum FormatError: Error, Equatable, Sendable, CustomStringConvertible {
    /// - Parameter elsewhere: the path of one with this name in a folder that is not looked into.
    case missingStoryboard(String, elsewhere: String? = nil)
    case noInitialViewController(storyboard: String)
    case interface(NibError, path: String)
    case model(ModelError, path: String)
    case document(DocumentError)

    package var description: String {
        switch self {
        case .missingStoryboard(let name, let other?):
            "\(name).storyboardc lies in \(other.excerpt), and belongs to the top of the bundle or into Base.lproj there"
        case .missingStoryboard(let name, nil):
            "the bundle has no \(name).storyboardc, neither at its top nor in Base.lproj or a language's folder"
                + (name == FirstScreen.storyboard ? ", and no document \(DocumentWords.standardName)" : "")
        case .noInitialViewController(let name): "\(name).storyboardc names no screen to begin with"
        case .interface(let error, let path): "\(path): \(error)"
        case .model(let error, let path): "\(path): \(error)"
        case .document(let error): "\(error)"
        }
    }

    /// The file that is at fault, with line and column in files of lines. The offset in a compiled one is part of ``cause``.
    package var place: Place? {
        switch self {
        case .missingStoryboard: nil
        case .noInitialViewController(let name): Place(file: "\(name).storyboardc")
        case .interface(let error, let path): Place(file: error.path.map { "\(path)/\($0)" } ?? path)
        case .model(let error, let path): Place(file: error.file.map { "\(path)/\($0)" } ?? path)
        case .document(let error): error.place
        }
    }

    /// The description without the place.
    package var cause: String {
        switch self {
        case .missingStoryboard, .document: description
        case .noInitialViewController: "it names no screen to begin with"
        case .interface(let error, _): "\(NibError(error.reason, at: error.offset))"
        case .model(let error, _): "\(error.reason)"
        }
    }
}

/// The limits of reading a bundle, many times the size of a large widget. A bundle is read completely before its first
/// screen is shown. Reaching a limit is a diagnostic, and everything read until then works.
package struct FormatLimits: Sendable {
    // MARK: - Interfaces

    package var screenCount = 256
    package var interfaceByteCount = 1 << 20
    /// Stacks of screens within stacks.
    package var stackDepth = FirstScreen.stackDepth
    /// Placeholders that refer to other placeholders, in a chain.
    package var placeholderDepth = 8
    /// Elements of one screen.
    package var nodeCount = 20_000
    /// Nested interfaces of rows: their bytes, and the depth of rows within rows.
    package var prototypeByteCount = 4 << 20
    package var prototypeDepth = 8
    /// Segments of a control, and states of a button: many of either may share one list of them.
    package var partCount = 100
    /// Constraints of one screen, its rows' among them, and their values for size classes.
    package var ruleCount = 20_000
    package var variationCount = 20_000
    /// Parts of an attributed text with different looks.
    package var runCount = 500

    // MARK: - Schemes

    /// Bytes of all schemes and data together.
    package var dataByteCount = 4 << 20
    /// Attributes of all elements and mediators of one scheme.
    package var attributeCount = 10_000
    package var mediatorCount = 1_000
    /// Files of rows of one list, and of all lists of a screen, which may share them.
    package var rowFileCount = 100
    package var rowFileUseCount = 400
    /// Entries of the lists of elements of all mediators of a screen.
    package var triggerCount = 50_000
    package var propertyCount = 64
    /// Attributes, outlets and bindings of all elements of a screen. Elements of one name in different kinds of rows
    /// each count.
    package var settingCount = 50_000
    /// Elements that one list of names leads to.
    package var namedCount = 20_000
    /// Bindings of the screen itself, all of which are evaluated on every change of the screen.
    package var screenBindingCount = 1_000
    /// Settings that one scheme gives a value to begin with.
    package var initialSettingCount = 200
    /// Bytes of a regular expression that the values of a field match, and of a message about a field.
    package var patternByteCount = 2_000
    package var messageByteCount = 500
    /// Steps of a result chain.
    package var linkCount = 50
    /// The number of times that the items of an endless list repeat.
    package var repetitionCount = 1_000

    // MARK: - Services

    package var serviceByteCount = 4 << 20
    /// Services of a bundle of documents.
    package var serviceCount = 64
    package var actionCount = 10_000
    /// Changes of stored records that one action makes.
    package var recordChangeCount = 100
    /// Bytes of all headers of one action, with their names: as many as servers take.
    package var headerByteCount = 8 << 10
    /// The most members of defaults that are copied for actions that add members.
    package var repeatedMemberCount = 30_000
    /// The longest delay of a scripted answer, in seconds.
    package var longestScriptedDelay = 3_600.0
    /// The longest time for which an answer is cached, in seconds.
    package var longestCacheTime = 86_400.0

    package init() {}
}
