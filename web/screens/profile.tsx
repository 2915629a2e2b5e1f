export function ProfileScreen() {
  return <h1 className="text-xl font-semibold">Профиль</h1>
}
