/// What a registry or a publisher lets into a bundle.
///
/// The defaults are the strictest a bundle of the framework can live with. Whatever a pattern lets in is
/// still judged by its content: a policy cannot let executables in.
package struct BundlePolicy: Equatable, Sendable {
    /// Patterns of what is kept. A pattern without `/` is matched with a file's name, one with `/` with as
    /// many of its last components; `*` stands for any characters within a component, case does not count.
    package var kept: [String] = BundlePolicy.defaultKept
    package var limits = BundleLimits()

    package init() {}

    package static let defaultKept = [
        "Info.plist", "*.json", "*.plist", "*.strings", "*.stringsdict",
        "*.nib", "*.mom", "*.momd/*.omo", "*.car",
        "*.png", "*.jpg", "*.jpeg", "*.gif", "*.heic", "*.webp",
        "*.ttf", "*.otf",
    ]
}
