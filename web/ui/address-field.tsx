import { Check, Copy } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { TextField } from './text-field.tsx'

const COPIED_MS = 2000

interface AddressFieldProps {
  label: string
  address: string
  hint?: string
  /** Further buttons beside «Скопировать». */
  children?: ReactNode
}

/** A URL to copy. */
export function AddressField({ label, address, hint, children }: AddressFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setIsCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(address)
    } catch {
      // Without clipboard access the text is selected, to be copied by hand.
      field.current?.select()
      return
    }
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), COPIED_MS)
  }

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
        <Button
          variant="primary"
          icon={isCopied ? <Check size={18} aria-hidden="true" /> : <Copy size={18} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {isCopied ? 'Скопировано' : 'Скопировать'}
        </Button>
        {children}
      </div>
    </div>
  )
}
