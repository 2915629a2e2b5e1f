import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useContext } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { Check } from '#web/ui/icons.ts'
import { OpenModalContext } from './open-modal.ts'

interface MenuProps {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  defaultOpen?: boolean
  /** Runs after closing; returns true if it moved the focus, else the focus returns to the button. */
  onClosed?: () => boolean
}

export function Menu({ trigger, children, align = 'start', defaultOpen, onClosed }: MenuProps) {
  const layer = useContext(OpenModalContext)
  return (
    <DropdownMenu.Root modal={false} defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={layer}>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => onClosed?.() && event.preventDefault()}
          className="z-50 min-w-52 rounded-md border bg-surface p-1 shadow-float data-[state=open]:animate-[appear_120ms_ease-out]"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const itemStyle =
  'flex min-h-9 max-frame:min-h-11 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-[15px] outline-none select-none ' +
  'data-[highlighted]:bg-hover data-[disabled]:pointer-events-none data-[disabled]:opacity-55'

interface MenuItemProps {
  icon?: ReactNode
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  children: ReactNode
}

export function MenuItem({ icon, onSelect, danger, disabled, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      disabled={disabled}
      className={classNames(itemStyle, danger ? 'text-danger' : 'text-ink')}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  )
}

interface MenuChoiceProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string; icon?: ReactNode; note?: string }[]
  onChange: (value: Value) => void
  /** By default the menu stays open, to see what the choice does. */
  closesOnChange?: boolean
}

export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
  closesOnChange,
}: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      aria-label={label}
      className="flex flex-col"
    >
      <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-sm text-muted">{label}</DropdownMenu.Label>
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => closesOnChange || event.preventDefault()}
          className={classNames(itemStyle, 'data-[state=checked]:text-accent-ink data-[state=checked]:font-medium')}
        >
          {option.icon}
          {option.label}
          {option.note && (
            <span className="figures ml-auto pl-4 text-[13px] font-normal text-muted">{option.note}</span>
          )}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

interface MenuCheckProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}

/** A switch in a menu. The menu stays open, because the switch affects the other items. */
export function MenuCheck({ isOn, onChange, children }: MenuCheckProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={isOn}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={classNames(itemStyle, 'text-ink')}
    >
      <span
        aria-hidden="true"
        className={classNames(
          'm-px grid size-4 place-items-center rounded-xs border',
          isOn ? 'border-accent bg-accent text-on-accent' : 'border-line-strong',
        )}
      >
        {isOn && <Check size={12} strokeWidth={3} />}
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 border-t" />
}
