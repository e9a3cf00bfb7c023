import Widgets

/// The initials of a person in a circle, with the name below if there is one.
struct PortraitWidget: WidgetView {
    let initials: any Readable<String>
    var name: Reading<String>?

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            ZStackWidget {
                LabelWidget(initials).bold().color(.white).position(.center)
            }
            .frame(height: 44, width: 44)
            .cornerRadius(22)
            .backgroundColor(.sea)
            if let name { LabelWidget(name).alignment(.center).font(.title2) }
        }
        .alignment(.center)
    }
}
