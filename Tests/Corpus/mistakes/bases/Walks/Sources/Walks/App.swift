import Widgets

@main struct App: WidgetApp {
    var first: any Widget { WalksScreen() }
}
