import FoundationEssentials
import Widgets

/// A plain list of texts and timers, which follow the clock.
struct TonightScreen: WidgetView {
    /// The evening of the concert, in the time of the hall.
    private static let doors = Date(timeIntervalSince1970: 1_529_526_600)
    private static let start = doors.addingTimeInterval(30 * 60)
    private static let lastTram = doors.addingTimeInterval(195 * 60)

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget("Tonight").font(.largeTitle).bold()
            LabelWidget("The doors open:")
            TimerWidget(TonightScreen.doors)
            LabelWidget("Until the first note:")
            TimerWidget(TonightScreen.start).style(.countdown).font(.title1).id("countdown")
            LabelWidget("The last tram leaves at:")
            TimerWidget(TonightScreen.lastTram).style(.clock).tick(60)
        }
    }
}
