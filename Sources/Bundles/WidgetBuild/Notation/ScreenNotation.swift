internal import WidgetBytes
internal import XMLText

/// The notation of screens: a text of lines, each a screen, a view or a button, that becomes a storyboard.
///
/// The compiler of storyboards reads what ``storyboard(_:path:)`` writes, so that there is one meaning for both.
package enum ScreenNotation {
    /// The ending of its files.
    package static let ending = "screens"

    /// Returns the storyboard of a file in the notation.
    package static func storyboard(_ bytes: [UInt8], path: String) throws(BuildFailure) -> [UInt8] {
        Array(StoryboardWriter.storyboard(of: try parsed(bytes, path: path)).text.utf8)
    }

    /// Returns a file in its normal form: without comments, properties in the order of their table.
    package static func normalForm(_ bytes: [UInt8], path: String) throws(BuildFailure) -> [UInt8] {
        let storyboard = try storyboard(bytes, path: path)
        return try screens(storyboard: storyboard, path: path).bytes
    }

    /// A storyboard as text, and what was left out.
    package struct Reading: Sendable {
        package var bytes: [UInt8]
        /// The parts that the notation does not have, with their places in the storyboard.
        package var left: [BuildError]
    }

    /// Returns a storyboard in the notation. Parts that the notation lacks are listed, and not in the text.
    package static func screens(storyboard bytes: [UInt8], path: String) throws(BuildFailure) -> Reading {
        let document = try parsed(storyboard: bytes, path: path)
        let reader = StoryboardReader(document)
        let text = "\(reader.result)"
        // The text is what the author gets, so the text is what is compared.
        let errors = BuildErrors()
        let read = NotationParser.parse(Array(text.utf8), path: path, recording: errors)
        var left = reader.left.map { BuildError($0.sentence, path: path, at: $0.position) }
        for error in errors.found {
            left.append(BuildError("as text: \(error.sentence)", path: path, at: nil, hints: error.hints))
        }
        if errors.isEmpty {
            let written = try parsed(
                storyboard: Array(StoryboardWriter.storyboard(of: read).text.utf8), path: path)
            left += StoryboardComparison.differences(document, written).map {
                BuildError($0.sentence, path: path, at: $0.position)
            }
        }
        return Reading(bytes: Array(text.utf8), left: left)
    }

    private static func parsed(storyboard bytes: [UInt8], path: String) throws(BuildFailure) -> XMLDocument {
        let document = try rethrowing(try XMLDocument(parsing: bytes)) { (error: XMLError) in
            BuildFailure(BuildError("\(error.reason)", path: path, at: error.position))
        }
        guard document.root.name == "document", document.root["type"]?.hasSuffix("Storyboard.XIB") == true else {
            throw BuildFailure(BuildError("this is not a storyboard for iOS", path: path, at: document.root.position))
        }
        return document
    }

    private static func parsed(_ bytes: [UInt8], path: String) throws(BuildFailure) -> NotationDocument {
        let errors = BuildErrors()
        let document = NotationParser.parse(bytes, path: path, recording: errors)
        if let failure = BuildFailure(errors.found, unfinished: errors.isFull ? [path] : []) { throw failure }
        return document
    }

    /// Compiles a file as the storyboard that it becomes. Errors and notes have places in the file.
    static func compile(
        _ bytes: [UInt8], path: String, colors: CatalogColors, recording errors: BuildErrors
    ) -> InterfaceCompiler.Compiled {
        let own = BuildErrors()
        let document = NotationParser.parse(bytes, path: path, recording: own)
        guard own.isEmpty else {
            for error in own.found { errors.note(error) }
            return InterfaceCompiler.Compiled()
        }
        let storyboard = StoryboardWriter.storyboard(of: document)
        let compiled = InterfaceCompiler.compile(
            Array(storyboard.text.utf8), path: path, colors: colors, recording: own,
            places: { storyboard.origin(of: $0) })
        for var error in own.found {
            error.position = error.position.map { storyboard.origin(of: $0) }
            errors.note(error)
        }
        return compiled
    }
}
