/// A compiled storyboard with one screen, which a bundle can begin with.
package enum FirstScreenFiles {
    package static let all = all(in: "")

    /// - Parameter folder: where the storyboard is, with a slash at its end.
    package static func all(in folder: String) -> [(String, [UInt8])] {
        Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/Corpus/screens").sorted { $0.key < $1.key }
            .map { (folder + $0.key, $0.value) }
    }
}
