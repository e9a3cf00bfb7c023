internal import Glibc

/// Files in Tests/Corpus that tests keep in step with what they forge.
package enum Corpus {
    /// Whether this run writes the files anew instead of comparing them.
    package static var isWritten: Bool {
        // The environment is not changed while tests run.
        unsafe getenv("WIDGET_WRITE_CORPUS") != nil
    }
}
