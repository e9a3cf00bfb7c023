internal import WidgetNib
internal import XMLText

/// Views in which a value is picked, or a place on a map.
extension ElementRule {
    static let pickers: [String: ElementRule] = [
        "pickerView": ElementRule(
            className: "UIPickerView", base: "view",
            attributes: ["showsSelectionIndicator": .truth("UIShowsSelectionIndicator", default: false)]),
        "datePicker": ElementRule(
            className: "UIDatePicker", base: "control",
            attributes: [
                "datePickerMode": .choice(
                    "UIDatePickerMode",
                    [
                        "time": 0, "date": 1, "dateAndTime": 2, "countDownTimer": 3, "countdownTimer": 3,
                        "yearAndMonth": 4269,
                    ]),
                "minuteInterval": .integer("UIMinuteInterval"), "countDownDuration": .float("UICountDownDuration"),
                "useCurrentDate": .truth("UIDatePickerUseCurrentDateDuringDecoding", default: false),
                "roundsToMinuteInterval": .look, "style": .look,
            ],
            looks: ["calendar"]),
        "mapView": ElementRule(
            className: "MKMapView", base: "view",
            attributes: [
                "mapType": .choice(
                    "MKMapType",
                    [
                        "standard": 0, "satellite": 1, "hybrid": 2, "satelliteFlyover": 3, "hybridFlyover": 4,
                        "mutedStandard": 5,
                    ]),
                "showsUserLocation": .truth("MKShowsUserLocation", default: false),
                "zoomEnabled": .truth("MKZoomEnabled", default: true),
                "scrollEnabled": .truth("MKScrollEnabled", default: true),
                "rotateEnabled": .truth("MKRotateEnabled", default: true),
                "pitchEnabled": .truth("MKPitchEnabled", default: true),
                "showsCompass": .truth("MKShowsCompass", default: true),
                "showsScale": .truth("MKShowsScaleKey", default: false),
                "showsTraffic": .truth("MKShowsTraffic", default: false),
                "showsBuildings": .truth("MKShowsBuildings", default: true),
                "showsPointsOfInterest": .truth("MKShowsPointsOfInterest", default: true),
                "selectableMapFeatures": .look, "pitchButtonVisibility": .look, "showsUserTrackingButton": .look,
            ],
            looks: [
                "standardMapConfiguration", "imageryMapConfiguration", "hybridMapConfiguration",
                "pointOfInterestFilter",
            ]),
    ]
}

extension InterfaceSource {
    static let pickerLeaves: [String: Set<String>] = [
        "date": ["key", "timeIntervalSinceReferenceDate"], "locale": ["key", "localeIdentifier"],
        "timeZone": ["key", "name", "data"],
    ]
}

extension NibCompiler {
    /// Writes a date, language or time zone of a date picker.
    ///
    /// - Returns: false for any other part.
    mutating func writePickerPart(_ element: XMLElement, of picker: Int) throws(BuildError) -> Bool {
        switch (element.name, element["key"]) {
        case ("date", "date"), ("date", "minimumDate"), ("date", "maximumDate"):
            let date = draft.add("NSDate")
            let seconds = try number("timeIntervalSinceReferenceDate", of: element)
            draft.set("NS.time", .content(.double(seconds)), of: date)
            let keys = ["minimumDate": "UIMinimumDate", "maximumDate": "UIMaximumDate"]
            draft.set(keys[element["key"] ?? ""] ?? "UIDate", .object(date), of: picker)
        case ("locale", "locale"):
            guard let name = element["localeIdentifier"] else {
                throw source.fault("a locale needs a localeIdentifier", element)
            }
            let locale = draft.add("NSLocale")
            draft.set("NS.identifier", text: name, of: locale)
            draft.set("UILocale", .object(locale), of: picker)
        case ("timeZone", "timeZone"):
            guard let name = element["name"] else { throw source.fault("a timeZone needs a name", element) }
            let zone = draft.add("NSTimeZone")
            draft.set("NS.name", text: name, of: zone)
            draft.set("UITimeZone", .object(zone), of: picker)
        default: return false
        }
        return true
    }
}
