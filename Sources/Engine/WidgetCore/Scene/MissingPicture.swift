internal import WidgetBytes
@_exported public import WidgetFindings

extension Finding.Code {
    /// True for the limits of one view, beyond which parts of it are left out.
    var isLimitOfViews: Bool {
        [.byteBudget, .nodeBudget, .depthBudget, .rowBudget, .timeBudget, .expressionBudget].contains(self)
    }
}

extension Finding {
    /// The fault of a picture's name, unless the bundle has it or it is an address: a misspelled name or a forgotten
    /// file.
    package static func missingPicture(
        _ name: String, among images: [String: ImageInfo], at place: Place?
    ) -> Finding? {
        guard !name.isEmpty, !name.hasPrefix("http"), !images.hasPicture(name) else { return nil }
        // Files have their names with and without the ending.
        let names = images.keys.filter { !$0.contains(".") && images.hasPicture($0) }.sorted()
        let nearest = NearestName.of(name, in: names)?.excerpt
        let all =
            names.isEmpty
            ? "it has no pictures; add it, or take its name out" : "it has \(NameList(names.map { $0.excerpt }))"
        return Finding(
            .warning, .unknownImage, "The bundle has no picture called \(name.excerpt)", at: place,
            value: name.excerpt, nearest: nearest, hint: nearest == nil ? all : nil)
    }
}
