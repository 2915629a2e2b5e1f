import type { Ref } from 'react'

interface FileInputProps {
  ref: Ref<HTMLInputElement>
  label: string
  accept: string
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** Hidden: a button clicks it. */
export function FileInput({ label, onFiles, ...rest }: FileInputProps) {
  return (
    <input
      {...rest}
      type="file"
      aria-label={label}
      hidden
      onChange={({ target }) => {
        const files = [...(target.files ?? [])]
        // Otherwise the same file could not be chosen again.
        target.value = ''
        onFiles(files)
      }}
    />
  )
}
