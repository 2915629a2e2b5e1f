interface SelectionCheckboxProps {
  label: string
  state: 'none' | 'some' | 'all'
  onToggle: (withShift: boolean) => void
}

export function SelectionCheckbox({ label, state, onToggle }: SelectionCheckboxProps) {
  return (
    <span className="grid place-items-center">
      <input
        type="checkbox"
        aria-label={label}
        ref={(box) => {
          if (box) box.indeterminate = state === 'some'
        }}
        checked={state === 'all'}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        className="size-5 accent-accent"
      />
    </span>
  )
}
