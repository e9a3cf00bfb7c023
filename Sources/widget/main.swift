await Widget.main()
