import { type ChangeEvent, type KeyboardEvent, useState } from 'react'
import { type ComboOption, findOptions } from './combo-options.ts'

const MOST = 50

/** The open suggestions, the active one, and the keys of the field. */
export function useCombo(value: string, options: readonly ComboOption[], onChange: (value: string) => void) {
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(0)
  const isPicked = options.some((option) => option.value === value)
  const found = findOptions(options, isPicked ? '' : value)
  const shown = found.slice(0, MOST)
  const isShown = isOpen && shown.length > 0

  function pick(option: ComboOption) {
    onChange(option.value)
    setIsOpen(false)
  }

  function step(by: number) {
    setIsOpen(true)
    if (isShown) setActive((active + by + shown.length) % shown.length)
  }

  function onKeyDown(event: KeyboardEvent) {
    const option = shown[active]
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (isShown && event.key === 'Escape') setIsOpen(false)
    else if (isShown && option && event.key === 'Enter') pick(option)
    else return
    event.preventDefault()
  }

  return {
    shown: isShown ? shown : [],
    more: found.length - shown.length,
    active,
    pick,
    input: {
      value,
      onKeyDown,
      onClick: () => setIsOpen(true),
      onBlur: () => setIsOpen(false),
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        onChange(target.value)
        setActive(0)
        setIsOpen(true)
      },
    },
  }
}
