extension Settings {
    /// What a bundle may hold; whatever a pattern lets in is still judged by its content.
    package struct Policy: Equatable, Sendable {
        /// Patterns of the files that are kept; everything else is stripped.
        package var kept = [
            "Info.plist", "*.json", "*.plist", "*.strings", "*.stringsdict",
            "*.nib", "*.mom", "*.momd/*.omo", "*.car",
            "*.png", "*.jpg", "*.jpeg", "*.gif", "*.heic", "*.webp",
            "*.ttf", "*.otf",
        ]
        /// Whether what would be stripped or warned about is refused when a publisher does not say.
        package var isStrict = false

        package init() {}
    }
}
