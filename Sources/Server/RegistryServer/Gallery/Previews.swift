package import Registry
package import WidgetBundles

/// The running of published widgets on pages. RegistryServer knows no widget: the program that starts the server hands one
/// in, or leaves it at ``NoPreviews``.
package protocol Previews: Sendable {
    /// The state of a release's preview. It starts nothing, and is quick: pages ask it while they are made.
    func preview(of bundle: String, _ release: Release) -> Preview
}

/// The live part of a release's page.
package enum Preview: Equatable, Sendable {
    /// Nothing runs here; the sentence says why.
    case off(String)
    /// A page for a frame, at this address: the first screen with *Run*, and then the widget.
    case ready(address: String)
    /// The release cannot run, for these reasons.
    case broken([Finding])
}

/// No release runs: its pages have stills and everything else.
package struct NoPreviews: Previews {
    package init() {}

    package func preview(of bundle: String, _ release: Release) -> Preview {
        .off("This registry shows stills, and runs no widgets on its pages.")
    }
}
