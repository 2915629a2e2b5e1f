import { type ReactNode, useRef } from 'react'
import { useCopy } from '#web/lib/copy-text.ts'
import { Check, Copy } from '#web/ui/icons.ts'
import { Button } from './button.tsx'
import { TextField } from './text-field.tsx'

interface AddressFieldProps {
  label: string
  address: string
  hint?: string
  /** Further buttons beside «Скопировать». */
  children?: ReactNode
}

export function AddressField({ label, address, hint, children }: AddressFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  // Without clipboard access the text is selected, to be copied by hand.
  const { isCopied, copy } = useCopy(address, () => field.current?.select())
  return (
    <div className="flex flex-col gap-3">
      <TextField
        ref={field}
        label={label}
        hint={hint}
        readOnly
        value={address}
        onFocus={(event) => event.target.select()}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" icon={isCopied ? <Check size={18} /> : <Copy size={18} />} onClick={copy}>
          {isCopied ? 'Скопировано' : 'Скопировать'}
        </Button>
        {children}
      </div>
    </div>
  )
}
