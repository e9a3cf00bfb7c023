internal import WidgetCore
internal import WidgetNib

/// The pictures that interfaces show: symbols of the system, and sizes that interfaces say of the bundle's.
struct InterfacePictures {
    private static let symbol = "UISystemSymbolResourceName"
    /// The longest side of a picture that an interface may say, in points.
    private static let longestSide = 10_000.0

    private var symbols: Set<String> = []
    private var sizes: [String: Size] = [:]

    mutating func add(_ graph: NibGraph) {
        if graph.position(ofKey: Self.symbol) != nil {
            symbols.formUnion(graph.objects.indices.compactMap { graph.element($0).string(Self.symbol) })
        }
        guard graph.position(ofKey: "UIImageWidth") != nil else { return }
        for position in graph.objects.indices {
            let image = graph.element(position)
            guard let width = image.double("UIImageWidth"), let height = image.double("UIImageHeight"), width > 0,
                height > 0, width.isFinite, height.isFinite, image.string(Self.symbol) == nil,
                let name = image.string("UIResourceName")
            else { continue }
            sizes[name] = Size(width: min(width, Self.longestSide), height: min(height, Self.longestSide))
        }
    }

    /// Returns the bundle's pictures with those that interfaces show beside them: symbols, and missing ones by their sizes.
    func images(with own: [String: ImageInfo]) -> [String: ImageInfo] {
        var images = own.merging(symbols.map { ($0, ImageInfo(isSymbol: true)) }) { own, _ in own }
        for (name, size) in sizes { images[name, default: ImageInfo(missing: size)].declared = size }
        return images
    }
}
