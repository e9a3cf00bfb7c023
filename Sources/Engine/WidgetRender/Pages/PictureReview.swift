internal import WidgetCore
internal import WidgetPredicates

/// The pictures that interfaces name and no browser shows.
enum PictureReview {
    /// The most pictures that are opened, and the most pixels of all together.
    static let countLimit = 200
    static let pixelLimit = 32 << 20

    /// - Parameter fault: returns the reason why a picture cannot be shown.
    static func diagnostics(of program: Program, _ fault: (String) -> String?) -> [Finding] {
        var found: [Finding] = []
        var known: Set<String> = []
        var pixelCount = 0
        for scene in program.scenes.values.sorted(by: { $0.name < $1.name }) {
            for node in scene.nodes {
                for (name, place) in names(of: node) where known.count < countLimit && known.insert(name).inserted {
                    let image = program.images?[name]
                    pixelCount +=
                        image?.variants.map { $0.pixelWidth.multipliedReportingOverflow(by: $0.pixelHeight) }
                        .map { $0.overflow ? pixelLimit : $0.partialValue }.max() ?? 0
                    guard pixelCount <= pixelLimit else { return found }
                    guard let reason = fault(name) else { continue }
                    found.append(
                        Finding(
                            .warning, .unusablePicture, "The picture \(name.excerpt) is not shown on pages: \(reason)",
                            at: place ?? node.place, hint: "save it as PNG or JPEG"))
                }
            }
        }
        return found
    }

    /// The names that an interface has for a node's pictures, of all its states.
    private static func names(of node: Node) -> [(String, Place?)] {
        var names: [(String, Place?)] = []
        for property in [PropertyName.image, .placeholderImage] {
            guard let name = node[property]?.literal?.string, !name.isEmpty, !name.hasPrefix("http") else { continue }
            names.append((name, node[property]?.place))
        }
        let states = node.look?.button?.states ?? []
        let others = [node.look?.appearance.backgroundImage] + states.flatMap { [$0.image, $0.backgroundImage] }
        return names + others.compactMap { $0 }.map { ($0, node.place) }
    }
}
