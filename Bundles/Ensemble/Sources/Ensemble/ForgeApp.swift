import Widgets

/// A widget for an overview of the day: the newest event of a feed, and the list that its links lead to.
public struct ForgeApp: WidgetApp {
    public init() {}

    public var identifier: String { "com.example.Forge" }

    public var first: any Widget { MainScreen() }

    /// The glance: one event in the compact mode, all in the expanded one.
    struct MainScreen: WidgetView {
        let events = Event.feed

        func widget(_ context: WidgetContext) -> any Widget {
            VStackWidget {
                LabelWidget("Not up to date: \(events.status.error)").font(.footnote).color(.quiet)
                    .shown(if: events.status.failure)
                SpinnerWidget().label("Asking for events").shown(if: events.status.phase == "loading")
                LabelWidget("Nothing has happened yet.").shown(if: events.status.empty)
                table
            }
            .displayModes(.compact, .expanded)
            .updates(every: 900)
            .watch(events)
            .visible(if: events.status.phase != "empty")
            .link("event", "forge://events/{id:integer}", to: EventsScreen(), revealing: "id", in: "feed")
        }

        /// The newest event has the highest number.
        private var shown: Reading<[Event]> {
            Reading.isCompact.choose(
                Reading<[Event]>.expression("SUBQUERY(events, $e, $e.id == events.@max.id)"), else: events)
        }

        private var table: any Widget {
            TableWidget {
                ForEach(shown, key: \.id) { event in
                    TableCellWidget { EventWidget(event: event) }
                        .onSelect(.open(link: "event", with: ["id": event.id]))
                }
            }
            .separators(false)
            .onRefresh(events)
            .id("newest")
        }
    }
}
