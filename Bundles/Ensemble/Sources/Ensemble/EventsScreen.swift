import FoundationEssentials
import Widgets

/// Something that has happened on the forge.
struct Event: Codable, Identifiable {
    var id: Int
    var type: String
    var actor: String
    var repository: String
    var at: Date

    /// The answer of the service that `Bundle/StubService.json` describes.
    static var feed: ServiceAnswer<[Event]> { ServiceAnswer("events", with: ["user": "mara"], part: "events") }
}

/// The list of the app; `forge://events/1004` shows the row of that event.
struct EventsScreen: WidgetView {
    let events = Event.feed

    func widget(_ context: WidgetContext) -> any Widget {
        TableWidget {
            ForEach(events, key: \.id) { event in
                TableCellWidget { EventWidget(event: event) }
            }
        }
        .placeholder { LabelWidget("Nothing has happened yet.") }
        .onRefresh(events)
        .id("feed")
        .navigationBar(title: "Events")
    }
}
