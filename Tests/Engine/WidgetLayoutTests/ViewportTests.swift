import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: a screen has the size classes that its author drew it for. Method: sizes around both borders.
@Suite struct `A viewport` {
    @Test(arguments: [
        (743.0, 667.0, SizeClasses(width: .compact, height: .regular)),
        (744.0, 667.0, SizeClasses(width: .regular, height: .regular)),
        (667.0, 375.0, SizeClasses(width: .compact, height: .compact)),
        (744.0, 480.0, SizeClasses(width: .regular, height: .regular)),
        (320.0, 479.0, SizeClasses(width: .compact, height: .compact)),
    ])
    func `A viewport has the size classes of its lengths`(width: Double, height: Double, classes: SizeClasses) {
        #expect(Viewport(size: Size(width: width, height: height)).sizeClasses == classes)
    }
    @Test func `What a reader chooses has the names that commands take`() {
        #expect(
            Viewport.TextSize.allCases.map(\.rawValue) == [
                "XS", "S", "M", "L", "XL", "XXL", "XXXL", "AX1", "AX2", "AX3", "AX4", "AX5",
            ])
        #expect(Viewport.Direction.allCases.map(\.rawValue) == ["ltr", "rtl"])
        #expect(Viewport.Scheme.allCases.map(\.rawValue) == ["light", "dark"])
    }
}
