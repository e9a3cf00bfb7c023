internal import Nib
package import WidgetCore

/// A form in which widgets are authored: it recognises its files, and lowers them to a program.
///
/// What is wrong with a part of a bundle is a diagnostic of the program; an error says that there is no program.
package protocol FrontEnd: Sendable {
    /// As people call it.
    static var name: String { get }
    /// The ends of the names of the files that it reads.
    static var endings: [String] { get }

    /// Whether a bundle is written in this form.
    static func recognises(_ files: BundleFiles) -> Bool

    static func program(_ files: BundleFiles, _ options: ProgramOptions) throws(FormatError) -> Program
}

/// How a program is made of a bundle, whatever form it is written in.
package struct ProgramOptions: Sendable {
    /// Of the widget; instances of one bundle have different ones.
    package var identifier: String
    /// The interface to begin with, where the form has several.
    package var entryPoint = FirstScreen.storyboard
    /// Whether the description for development is preferred.
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

/// The forms in which widgets can be authored.
package enum FrontEnds {
    /// In the order in which they are asked. One that is added has its row here.
    package static let all: [any FrontEnd.Type] = [WidgetKitReader.self]

    /// The ends of the names of all files that any of them reads.
    package static var endings: Set<String> { Set(all.flatMap { $0.endings }) }

    /// The program of a bundle, by the first front end that recognises it. The error for a bundle that none recognises
    /// is that of the first.
    package static func program(_ files: BundleFiles, _ options: ProgramOptions) throws(FormatError) -> Program {
        let frontEnd = all.first { $0.recognises(files) } ?? all.first ?? WidgetKitReader.self
        return try frontEnd.program(files, options)
    }
}
