internal import WidgetLive
internal import WidgetRender

/// The first use of what opens files when it is first used by widgets.
enum CellWarmth {
    static func spread() {
        // The digests come from a library that reads its settings when it begins.
        _ = PageFiles.digest(of: [0])
        _ = UInt64.random(in: 0...9)
        LiveThreads.begin {}
    }
}
