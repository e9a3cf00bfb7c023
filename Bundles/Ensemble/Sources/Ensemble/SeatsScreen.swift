import Widgets

/// Places in front of each other, in corners, on edges and in the middle.
struct SeatsScreen: WidgetView {
    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget("Nine places in a hall:")
            hall
            LabelWidget("Four edges, and lines through the middle:")
            edges
            LabelWidget("A sign on a picture of a ticket:")
            ticket
        }
        .navigationBar(title: "Seats")
    }

    private var hall: any Widget {
        ZStackWidget {
            ContainerWidget().backgroundColor(.secondaryBackground).cornerRadius(12).position(.fill)
            SeatWidget(name: "Harps").position(.topLeft)
            SeatWidget(name: "Horns").position(.centerTop)
            SeatWidget(name: "Drums").position(.topRight)
            SeatWidget(name: "Violins").position(.centerLeft)
            SeatWidget(name: "Conductor").position(.center)
            SeatWidget(name: "Cellos").position(.centerRight)
            SeatWidget(name: "Door").position(.bottomLeft)
            SeatWidget(name: "Audience").position(.centerBottom)
            SeatWidget(name: "Exit").position(.bottomRight)
        }
        .height(220)
        .id("hall")
    }

    private var edges: any Widget {
        ZStackWidget {
            ContainerWidget().position(.top).height(12).backgroundColor(.rust)
            ContainerWidget().position(.bottom).height(12).backgroundColor(.sea)
            ContainerWidget().position(.left).width(12).backgroundColor(.moss)
            ContainerWidget().position(.right).width(12).backgroundColor(.sand)
            LabelWidget("across").position(.centerHorizontally)
        }
        .height(120)
        .id("edges")
    }

    private var ticket: ZStackWidget {
        ZStackWidget {
            ContainerWidget(LabelWidget("Row 4, seat 11").color(.white))
                .padding(16).backgroundColor(.sea).cornerRadius(8)
            LabelWidget(" new ").font(.footnote).color(.alarm)
                .position(.topRight).margin(6).backgroundColor(.white).cornerRadius(6)
        }
        .height(72)
        .id("ticket")
    }
}
