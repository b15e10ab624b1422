const LOCKFILES =
  /(?:^|\/)(?:bun\.lockb|paket\.lock|Podfile\.lock|Cartfile\.resolved|conda-lock\.ya?ml|pixi\.lock|cpanfile\.snapshot|rebar\.lock|shard\.lock|luarocks\.lock)$/;

/** Package databases in unpacked images that no reader supports. The first group of a pattern is the database's path. */
const DATABASES: readonly (readonly [name: string, path: RegExp])[] = [
  ['RPM', /(?:^|\/)((?:var|usr)\/lib\/(?:sysimage\/)?rpm)\/(?:rpmdb\.sqlite|Packages(?:\.db)?|Index\.db)$/],
  ['pacman', /(?:^|\/)(var\/lib\/pacman\/local)\/[^/]{1,200}\/desc$/],
  ['Portage', /(?:^|\/)(var\/db\/pkg)\/[^/]{1,200}\/[^/]{1,200}\/PF$/],
  ['Nix', /(?:^|\/)(nix\/var\/nix\/db)\/db\.sqlite$/],
  ['opkg', /(?:^|\/)((?:usr|var)\/lib\/opkg)\/status$/],
  ['conda', /(?:^|\/)(conda-meta)\/[^/]{1,200}\.json$/],
];

export function isUnsupportedInventory(path: string): boolean {
  return LOCKFILES.test(path) || DATABASES.some(([, pattern]) => pattern.test(path));
}

export function findUnsupportedInventories(paths: readonly string[]): {
  readonly lockfiles: readonly string[];
  readonly databases: readonly string[];
} {
  const databases = paths.flatMap((path) => {
    const [name, pattern] = DATABASES.find(([, one]) => one.test(path)) ?? [];
    const place = pattern?.exec(path);
    return place
      ? [`${name} (${path.slice(0, place.index)}${place[0].startsWith('/') ? '/' : ''}${place[1]})`]
      : [];
  });
  return { lockfiles: paths.filter((path) => LOCKFILES.test(path)), databases: [...new Set(databases)] };
}
