Widget.main()
