export const pickerStyle =
  'flex h-9 max-frame:h-11 min-w-0 items-center gap-1.5 rounded-sm px-2.5 text-sm transition-colors hover:bg-hover data-[state=open]:bg-hover'
