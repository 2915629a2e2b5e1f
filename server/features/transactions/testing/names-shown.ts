import { transactionsApi } from '#contract/transactions.ts'
import { ledgerApi } from '#contract/transactions-admin.ts'
import { usersAdminApi } from '#contract/users-admin.ts'
import type { SignedIn } from '#server/testing/app.ts'

/** The names in a person's own list and CSV, and everything that an admin can read about the same charges. */
export async function namesShown(person: SignedIn, admin: SignedIn) {
  const userId = person.user.id
  const own = await person.call(transactionsApi.list, { query: {} })
  const csv = await (await person.fetch('/api/transactions/csv')).text()
  const cards = own.map(({ id }) => admin.call(ledgerApi.card, { params: { id } }))
  const toAdmin = await Promise.all([
    ...cards,
    admin.call(transactionsApi.list, { query: { userId } }),
    admin.call(transactionsApi.list, { query: { all: '1' } }),
    admin.call(ledgerApi.table, { query: { userId } }),
    admin.call(usersAdminApi.card, { params: { id: userId } }),
    (await admin.fetch(`/api/transactions/table/csv?userId=${userId}`)).text(),
    (await admin.fetch(`/api/transactions/csv?userId=${userId}`)).text(),
  ])
  const subjects = own.filter(({ symbols }) => symbols < 0).map(({ subject }) => subject)
  return { subjects, csv, toAdmin: JSON.stringify(toAdmin) }
}
