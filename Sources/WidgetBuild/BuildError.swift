package import Bytes

/// Why a source cannot be compiled, and where it says so.
package struct BuildError: Error, Equatable, Sendable {
    /// Inside the source folder.
    package var path: String
    package var position: TextPosition?
    package var sentence: String
    package var hints: [String]

    package init(_ sentence: String, path: String, at position: TextPosition? = nil, hints: [String] = []) {
        self.path = path
        self.position = position
        self.sentence = sentence
        self.hints = hints
    }

    func within(_ folder: String) -> BuildError {
        BuildError(sentence, path: folder.isEmpty ? path : "\(folder)/\(path)", at: position, hints: hints)
    }
}

extension BuildError: CustomStringConvertible {
    package var description: String {
        guard let position else { return "\(path): \(sentence)" }
        return "\(path):\(position.line):\(position.column): \(sentence)"
    }
}
