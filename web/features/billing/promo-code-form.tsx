import { useState } from 'react'
import { formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useApplyPromocode } from './queries.ts'

export function PromoCodeForm({ userId }: { userId: string }) {
  const apply = useApplyPromocode(userId)
  const [code, setCode] = useState('')
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        apply.mutate(code, { onSuccess: () => setCode('') })
      }}
    >
      <TextField
        label="Промокод"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        hint="Большие и маленькие буквы не важны. Промокод на скидку вводится при оформлении подписки."
        error={apply.errors.form ?? null}
      />
      <Button type="submit" className="self-start" busy={apply.isPending}>
        Применить промокод
      </Button>
      {apply.isSuccess && (
        <div role="status">
          <Callout tone="success">
            {apply.data === null ? 'Промокод применён.' : `Промокод применён: +${formatSymbols(apply.data)}.`}
          </Callout>
        </div>
      )}
    </form>
  )
}
