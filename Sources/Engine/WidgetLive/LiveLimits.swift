internal import WidgetEngine

/// Every bound that viewings keep.
package struct LiveLimits: Equatable, Sendable {
    /// The most viewings at once, and the most of one address.
    package var viewings = 2_000
    package var viewingsPerAddress = 20
    /// Seconds after which a viewing without stream and event makes room for another one of its address.
    package var unusedSeconds = 30.0
    /// True if one that is as unused makes room for another one of any address, where looking at a page opens one.
    package var makesRoomForAll = false
    /// The events that one viewing takes in a second, and how many at once.
    package var eventsPerSecond = 30.0
    package var eventBurst = 60.0
    /// The bytes and the events of one batch, and the fields of one form.
    package var batchByteCount = 1 << 20
    package var batchEventCount = 1_000
    package var fieldCount = 2_000
    /// Seconds until a viewing without a stream ends, and one with a stream whose viewer does nothing.
    package var idleWithoutStream = 600.0
    package var idleWithStream = 1_800.0
    /// The moments that a viewing keeps, to say what has changed since.
    package var moments = 16
    /// The bytes of the views of all moments; of large views, fewer moments are kept, but at least two.
    package var historyByteCount = 32 << 20
    /// The controls whose values a browser has and the view has not shown yet; with more, the whole page is sent.
    package var typedCount = 256
    /// The bytes of these values.
    package var typedByteCount = 1 << 20
    /// The lists that show more rows than at first, and the rows that each shows more at a time.
    package var windowCount = 64
    package var windowStep = 100
    /// The bytes of one viewing's view and store.
    package var viewingByteCount = 8 << 20
    /// Bytes that a stream may have waiting before a further change waits too.
    package var pendingByteCount = 32 << 10
    /// Seconds until it is tried again.
    package var retryPause = 0.1
    /// The most changes of one viewing in a second.
    package var changesPerSecond = 20.0
    /// Seconds between two beats of a stream.
    package var beat = 20.0

    /// Seconds that the first page waits for the answers to what its widget asks when it begins.
    package var firstPageSeconds = 1.0
    /// Seconds after which a page without script is loaded again while they have not come, and for which it is.
    package var refreshPause = 2
    package var refreshSeconds = 60.0

    /// The pictures of the network that one viewing shows, the first ones of its screen; their bytes and their pixels.
    package var pictureCount = 200
    package var pictureByteCount = 32 << 20
    package var picturePixelCount = 64 << 20

    /// The times that a reader can go back, as a browser has them in its history, and the bytes of a link to a screen.
    package static let depth = LiveEvent.deepest
    package static let linkByteCount = 8 << 10

    package init() {}

    /// Those of pages whose data are an app's, and last longer than a page.
    package static var ofSessions: LiveLimits {
        var limits = LiveLimits()
        limits.viewingByteCount = 256 << 20
        return limits
    }
}

extension LiveEvent {
    /// The events of a batch, with its serial: `[serial, [event…]]`.
    static func batch(
        _ body: [UInt8], _ limits: LiveLimits
    ) throws(LiveRefusal) -> (serial: Int, events: [LiveEvent]) {
        do throws(SettingFault) {
            let batch = try batch(body, byteLimit: limits.batchByteCount, countLimit: limits.batchEventCount)
            return (Int(clamping: batch.serial), batch.events)
        } catch {
            throw .malformed("\(error)")
        }
    }
}
